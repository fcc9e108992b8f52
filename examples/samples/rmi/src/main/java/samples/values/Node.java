package samples.values;

import java.io.Serializable;

/** A ring: each node leads to the next one. */
public class Node implements Serializable {

    private static final long serialVersionUID = 1;

    final String name;
    Node next;

    public Node(String name) {
        this.name = name;
    }
}
