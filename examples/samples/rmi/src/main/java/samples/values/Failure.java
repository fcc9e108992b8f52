package samples.values;

import java.util.Map;
import java.util.TreeMap;

/** An exception with fields and a cause. */
public class Failure extends Exception {

    private static final long serialVersionUID = 1;

    private final Map<String, Integer> details = new TreeMap<>();

    public Failure(String message, Throwable cause) {
        super(message, cause);
        details.put("code", 42);
    }

    public Map<String, Integer> details() {
        return details;
    }
}
