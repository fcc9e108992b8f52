package dev.cleave.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The keys of an application file that a process sets otherwise: by system properties {@code cleave.KEY}, such as {@code
 * cleave.services.compare.balance}, and by environment variables of the same names in capitals, with {@code _} for
 * dots and hyphens: {@code CLEAVE_SERVICES_COMPARE_BALANCE}. A property goes before a variable, both go before the file. The
 * value is written as in the file.
 */
public final class Overrides {

    private static final String PROPERTY = "cleave.";
    private static final String VARIABLE = "CLEAVE_";
    private static final String OPTION = "-D" + PROPERTY;

    /** Keys with keys of their own. */
    private static final List<String> SECTIONS = List.of("services", "hosts", "client", "pings", "security");

    /** Further keys; those of broker, admin and mdc are read where they are used, in every process. */
    private static final List<String> VALUES = List.of("application", "classpath", "allow", "codecs", "benign", "pure");

    private Overrides() {}

    /** Returns the options of a JVM that has the same overrides by system properties as this one. */
    public static List<String> options() {
        List<String> options = new ArrayList<>();
        properties().forEach((name, value) -> options.add("-D" + name + "=" + value));
        return options;
    }

    /** Whether the name of a source of settings is that of a property or variable, and not that of a file. */
    static boolean areIn(String source) {
        return source.startsWith(OPTION) || source.startsWith("$" + VARIABLE);
    }

    /** Returns a tree with the settings of this process over it; null if there are none in either. */
    static @Nullable MappingNode ofProcess(@Nullable MappingNode root) {
        return over(root, properties(), System.getenv());
    }

    /** Returns a tree with the settings of properties and variables over it. */
    static @Nullable MappingNode over(
            @Nullable MappingNode root, Map<String, String> properties, Map<String, String> variables) {
        MappingNode all = root;
        for (Map.Entry<String, String> each : new TreeMap<>(variables).entrySet()) {
            if (isSetting(each.getKey())) {
                all = new One("$" + each.getKey(), each.getValue(), true)
                        .over(all, each.getKey().substring(VARIABLE.length()));
            }
        }
        for (Map.Entry<String, String> each : new TreeMap<>(properties).entrySet()) {
            String key = each.getKey().substring(PROPERTY.length());
            all = new One(OPTION + key, each.getValue(), false).over(all, key);
        }
        return all;
    }

    private static Map<String, String> properties() {
        Map<String, String> found = new TreeMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (!name.startsWith(PROPERTY)) {
                continue;
            }
            String key = name.substring(PROPERTY.length());
            int dot = key.indexOf('.');
            String first = dot < 0 ? key : key.substring(0, dot);
            boolean isMistyped = dot > 0
                    && !SECTIONS.contains(first)
                    && Nearest.hint(first, SECTIONS).startsWith("(did");
            if (isMistyped) {
                throw new Place("-D" + name, 0, 0, "").mistake("unknown key " + Nearest.hint(first, SECTIONS));
            }
            if (dot > 0 ? SECTIONS.contains(first) : VALUES.contains(key)) {
                found.put(name, System.getProperty(name));
            }
        }
        return found;
    }

    private static boolean isSetting(String variable) {
        return SECTIONS.stream().anyMatch(word -> variable.startsWith(VARIABLE + capitals(word) + "_"));
    }

    private static String capitals(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /**
     * One setting.
     *
     * @param source the property or variable, for messages
     * @param text the value, as it would stand in the file
     * @param isVariable whether the names in the path are in capitals
     */
    private record One(String source, String text, boolean isVariable) {

        MappingNode over(@Nullable MappingNode root, String path) {
            Node value = YamlText.node(text, place());
            Node known = value == null ? Trees.scalar("", Optional.empty()) : value;
            return set(root, List.of(), path, known);
        }

        private MappingNode set(@Nullable Node at, List<String> parent, String path, Node value) {
            MappingNode mapping =
                    at instanceof MappingNode known ? known : Trees.mapping(List.of(), value.getStartMark());
            String key = key(mapping, parent, path);
            NodeTuple before = Trees.find(mapping, key);
            Node below = before == null ? null : before.getValueNode();
            int length = key.length() + 1;
            List<String> of = below(parent, key);
            Node set = path.length() < length
                    ? value
                    : below instanceof SequenceNode list
                            ? item(list, of, path.substring(length), value)
                            : set(below, of, path.substring(length), value);
            return Trees.with(mapping, new NodeTuple(Trees.scalar(key, value.getStartMark()), set));
        }

        /** Sets a key of the item of a list that has a name, such as that of a replica. */
        private Node item(SequenceNode list, List<String> parent, String path, Node value) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < list.getValue().size(); i++) {
                if (list.getValue().get(i) instanceof MappingNode item && Trees.find(item, "name") != null) {
                    String name = nameOf(item);
                    names.add(name);
                    if (begins(path, name) && path.length() > name.length()) {
                        List<Node> items = new ArrayList<>(list.getValue());
                        items.set(i, set(item, below(parent, name), path.substring(name.length() + 1), value));
                        return new SequenceNode(list.getTag(), items, list.getFlowStyle());
                    }
                }
            }
            throw place().mistake(path + ": unknown name " + Nearest.hint(first(path), names));
        }

        private static List<String> below(List<String> parent, String key) {
            List<String> path = new ArrayList<>(parent);
            path.add(key);
            return path;
        }

        private static String nameOf(MappingNode item) {
            NodeTuple name = Trees.find(item, "name");
            return name != null && name.getValueNode() instanceof ScalarNode text ? text.getValue() : "";
        }

        /** Returns the longest known key that a path begins with; else the first part of the path. */
        private String key(MappingNode mapping, List<String> parent, String path) {
            List<String> possible = Keys.below(parent);
            Set<String> known = new LinkedHashSet<>(possible);
            mapping.getValue().forEach(tuple -> known.add(Trees.key(tuple)));
            Stream<String> fitting = known.stream().filter(key -> !key.isEmpty() && begins(path, key));
            Optional<String> longest = fitting.max(Comparator.comparingInt(String::length));
            if (longest.isPresent()) {
                return longest.get();
            }
            if (!possible.isEmpty() || isVariable) {
                throw place().mistake(first(path) + ": unknown key " + Nearest.hint(first(path), known));
            }
            return first(path);
        }

        private boolean begins(String path, String key) {
            String name = isVariable ? capitals(key) : key;
            char end = isVariable ? '_' : '.';
            return path.equals(name) || path.startsWith(name + end);
        }

        private String first(String path) {
            int end = path.indexOf(isVariable ? '_' : '.');
            return end < 0 ? path : path.substring(0, end);
        }

        private Place place() {
            return new Place(source, 0, 0, "");
        }
    }
}
