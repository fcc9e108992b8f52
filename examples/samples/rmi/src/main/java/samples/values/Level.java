package samples.values;

import java.io.Serializable;

/** One instance for each value: read as the known one. */
public class Level implements Serializable {

    private static final long serialVersionUID = 1;

    public static final Level LOW = new Level("low");
    public static final Level HIGH = new Level("high");

    private final String name;

    private Level(String name) {
        this.name = name;
    }

    private Object readResolve() {
        return name.equals("low") ? LOW : HIGH;
    }

    @Override
    public String toString() {
        return name;
    }
}
