package samples.compute;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A task with a result of a collection, and a failure that the engine reports. */
public class Primes implements Task<List<Integer>>, Serializable {

    private static final long serialVersionUID = 1;

    private final int from;
    private final int to;

    public Primes(int from, int to) {
        this.from = from;
        this.to = to;
    }

    @Override
    public List<Integer> execute() {
        if (from > to) {
            throw new IllegalStateException("from " + from + " to " + to);
        }
        List<Integer> found = new ArrayList<>();
        for (int n = Math.max(2, from); n <= to; n++) {
            boolean prime = true;
            for (int d = 2; d * d <= n && prime; d++) {
                prime = n % d != 0;
            }
            if (prime) {
                found.add(n);
            }
        }
        return found;
    }
}
