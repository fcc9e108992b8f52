package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayList;
import java.util.List;

/** {@link FolderSize} by hand: level by level, or a thread for each folder. */
final class FolderSizeByHand {

    private FolderSizeByHand() {}

    static String staged(Folders folders, String path) {
        long bytes = 0;
        int deepest = 0;
        List<Pending<Long>> sizes = new ArrayList<>();
        List<String> level = List.of(path);
        for (int depth = 0; !level.isEmpty(); depth++) {
            deepest = depth;
            List<Pending<String[]>> children = new ArrayList<>();
            for (String folder : level) {
                children.add(Cleave.async(() -> folders.children(folder)));
                sizes.add(Cleave.async(() -> folders.size(folder)));
            }
            List<String> next = new ArrayList<>();
            for (Pending<String[]> each : children) {
                next.addAll(List.of(each.await()));
            }
            level = next;
        }
        for (Pending<Long> size : sizes) {
            bytes += size.await();
        }
        return path + ": " + bytes + " bytes, " + deepest + " levels\n";
    }

    /**
     * The size of a folder.
     *
     * @param bytes of all files
     * @param depth of the deepest folder
     */
    private record Held(long bytes, int depth) {}

    static String threaded(Threads threads, Folders folders, String path) {
        Held held = walk(threads, folders, path, 0);
        return path + ": " + held.bytes() + " bytes, " + held.depth() + " levels\n";
    }

    private static Held walk(Threads threads, Folders folders, String path, int depth) {
        Task<Long> size = threads.start(() -> folders.size(path));
        List<Task<Held>> children = new ArrayList<>();
        for (String child : folders.children(path)) {
            children.add(threads.start(() -> walk(threads, folders, child, depth + 1)));
        }
        long bytes = size.join();
        int deepest = depth;
        for (Task<Held> child : children) {
            Held held = child.join();
            bytes += held.bytes();
            deepest = Math.max(deepest, held.depth());
        }
        return new Held(bytes, deepest);
    }
}
