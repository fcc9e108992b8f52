package samples.prices;

import java.io.Serializable;
import java.util.List;

public class Item implements Serializable {

    private static final long serialVersionUID = 1;

    private final String name;
    private final List<String> parts;

    public Item(String name, List<String> parts) {
        this.name = name;
        this.parts = parts;
    }

    public String name() {
        return name;
    }

    public List<String> parts() {
        return parts;
    }
}
