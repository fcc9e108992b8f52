package dev.cleave.processor;

import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The index as text, one word and one name to a line:
 *
 * <pre>
 * local  org.shop.Basket
 * remote org.shop.Stock
 * </pre>
 *
 * <p>A local interface is not remote. An interface that is not named may be either: the compilation that saw it may
 * have run without processors. Names are binary names.
 */
final class InterfaceIndex {

    /** Where the index is in a jar or folder. */
    static final String FILE = "META-INF/cleave/interfaces";

    private final SortedSet<String> local = new TreeSet<>();
    private final SortedSet<String> remote = new TreeSet<>();
    private final Set<String> seen = new HashSet<>();

    void addInterface(String name, boolean isRemote) {
        seen.add(name);
        (isRemote ? remote : local).add(name);
    }

    SortedSet<String> remote() {
        return remote;
    }

    /** Keeps the entries of an earlier index that this compilation does not replace and that still exist. */
    void merge(String earlier, Predicate<String> exists) {
        earlier.lines().forEach(line -> {
            String name = line.substring(line.indexOf(' ') + 1).trim();
            if (!seen.contains(name) && exists.test(name)) {
                if (line.startsWith("local ")) {
                    local.add(name);
                } else if (line.startsWith("remote ")) {
                    remote.add(name);
                }
            }
        });
    }

    String text() {
        StringBuilder text = new StringBuilder();
        local.forEach(name -> text.append("local  ").append(name).append('\n'));
        remote.forEach(name -> text.append("remote ").append(name).append('\n'));
        return text.toString();
    }
}
