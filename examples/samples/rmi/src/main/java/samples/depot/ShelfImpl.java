package samples.depot;

import java.rmi.server.Unreferenced;
import java.util.concurrent.atomic.AtomicInteger;

class ShelfImpl implements Shelf, Unreferenced {

    static final AtomicInteger UNREFERENCED = new AtomicInteger();

    private final String label;

    ShelfImpl(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public long[][] grid(long[][] grid, char[] chars, boolean[] flags) {
        for (int i = 0; i < grid.length; i++) {
            for (int j = 0; grid[i] != null && j < grid[i].length; j++) {
                grid[i][j] += chars[i] + (flags[j] ? 1_000 : 0);
            }
        }
        return grid;
    }

    @Override
    public String join(String... words) {
        return String.join("\u00e4\ud83d\ude00", words);
    }

    @Override
    public Object nothing(Object nothing, Integer none) {
        return nothing == null && none == null ? null : "something";
    }

    @Override
    public void unreferenced() {
        if (label.equals("passing")) {
            UNREFERENCED.incrementAndGet();
        }
    }
}
