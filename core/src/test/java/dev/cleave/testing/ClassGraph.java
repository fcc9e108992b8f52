package dev.cleave.testing;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The top-level classes of a folder of class files, and which of them each one names in code, declarations, generic
 * signatures or annotations. A nested class counts as part of its top-level class. Names are binary ones with dots. That
 * a sealed type lists what it permits is no use of the listed classes: such a list is what an enum would be.
 */
public final class ClassGraph {

    private static final Pattern TYPE = Pattern.compile("L([\\w/$]+)[;<]");
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int STRING = 8;
    private static final int FIELD = 9;
    private static final int METHOD = 10;
    private static final int INTERFACE_METHOD = 11;
    private static final int METHOD_HANDLE = 15;
    private static final int METHOD_TYPE = 16;
    private static final int MODULE = 19;
    private static final int PACKAGE = 20;

    private final Map<String, Set<String>> uses = new TreeMap<>();

    private ClassGraph() {}

    /** Reads every class file below {@code classes} except {@code package-info} and {@code module-info}. */
    public static ClassGraph read(Path classes) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(classes)) {
            files = found.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.toString().endsWith("-info.class"))
                    .toList();
        }
        Map<String, Set<String>> named = new TreeMap<>();
        for (Path file : files) {
            String name = classes.relativize(file).toString().replace('\\', '/');
            String top = topLevel(name.substring(0, name.length() - ".class".length()));
            named.computeIfAbsent(top, t -> new TreeSet<>()).addAll(types(file));
        }
        ClassGraph graph = new ClassGraph();
        named.forEach((from, targets) -> {
            Set<String> own = new TreeSet<>(targets);
            own.retainAll(named.keySet());
            own.remove(from);
            graph.uses.put(from, own);
        });
        return graph;
    }

    /** How many top-level classes there are. */
    public int size() {
        return uses.size();
    }

    /** How many top-level classes are in a cycle, in percent of all, rounded up. */
    public int percentInCycles() {
        int cyclic = knots().stream().mapToInt(Set::size).sum();
        return (100 * cyclic + size() - 1) / size();
    }

    /** The groups of two or more classes that all reach each other, the largest first. */
    public List<Set<String>> knots() {
        Components components = new Components();
        uses.keySet().forEach(components::visit);
        components.found.sort(Comparator.<Set<String>>comparingInt(Set::size).reversed());
        return components.found;
    }

    /** How many classes the largest knot has, 0 if there is none. */
    public int largestKnot() {
        List<Set<String>> knots = knots();
        return knots.isEmpty() ? 0 : knots.get(0).size();
    }

    /**
     * The source files of fewer than {@code lines} lines that exactly one other top-level class names, without annotations and
     * events of the flight recorder.
     *
     * @param sources the folder that the classes were compiled from
     */
    public List<String> smallWithOneUser(Path sources, int lines) throws IOException {
        Map<String, Integer> users = new HashMap<>();
        uses.values().forEach(targets -> targets.forEach(target -> users.merge(target, 1, Integer::sum)));
        List<String> small = new ArrayList<>();
        for (String name : uses.keySet()) {
            Path file = sources.resolve(name.replace('.', '/') + ".java");
            if (users.getOrDefault(name, 0) == 1 && Files.exists(file)) {
                List<String> text = Files.readAllLines(file);
                // programs use annotations, and tools of the JDK the events of the flight recorder
                boolean isUsedElsewhere = text.stream()
                        .anyMatch(line -> line.contains("@interface ") || line.contains(" extends Event "));
                if (text.size() < lines && !isUsedElsewhere) {
                    small.add(name);
                }
            }
        }
        return small;
    }

    /** The classes that {@code name} names; empty for an unknown class. */
    public Set<String> uses(String name) {
        return uses.getOrDefault(name, Set.of());
    }

    private static String topLevel(String name) {
        int nested = name.indexOf('$');
        return (nested < 0 ? name : name.substring(0, nested)).replace('/', '.');
    }

    private static Set<String> types(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            in.skipNBytes(2 * Integer.BYTES);
            Constants constants = new Constants(in);
            in.skipNBytes(3 * Short.BYTES);
            in.skipNBytes((long) Short.BYTES * in.readUnsignedShort());
            skipMembers(in);
            skipMembers(in);
            Set<Integer> permitted = new TreeSet<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                boolean permits = "PermittedSubclasses".equals(constants.texts[in.readUnsignedShort()]);
                int length = in.readInt();
                if (permits) {
                    for (int listed = in.readUnsignedShort(); listed > 0; listed--) {
                        permitted.add(in.readUnsignedShort());
                    }
                } else {
                    in.skipNBytes(length);
                }
            }
            return constants.types(permitted);
        }
    }

    private static void skipMembers(DataInputStream in) throws IOException {
        for (int members = in.readUnsignedShort(); members > 0; members--) {
            in.skipNBytes(3 * Short.BYTES);
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                in.skipNBytes(Short.BYTES);
                in.skipNBytes(in.readInt());
            }
        }
    }

    /** The constants of a class file. */
    private static final class Constants {

        final String[] texts;
        private final int[] classes;
        private final Set<Integer> owners = new TreeSet<>();

        Constants(DataInputStream in) throws IOException {
            int count = in.readUnsignedShort();
            texts = new String[count];
            classes = new int[count];
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case UTF8 -> texts[i] = in.readUTF();
                    case CLASS -> classes[i] = in.readUnsignedShort();
                    case STRING, METHOD_TYPE, MODULE, PACKAGE -> in.skipNBytes(Short.BYTES);
                    case METHOD_HANDLE -> in.skipNBytes(1 + Short.BYTES);
                    case LONG, DOUBLE -> {
                        in.skipNBytes(Long.BYTES);
                        i++;
                    }
                    case FIELD, METHOD, INTERFACE_METHOD -> {
                        owners.add(in.readUnsignedShort());
                        in.skipNBytes(Short.BYTES);
                    }
                    default -> in.skipNBytes(Integer.BYTES);
                }
            }
        }

        /** The types named by more than being permitted, by the classes of the constants and in descriptors. */
        Set<String> types(Set<Integer> permitted) {
            Set<String> types = new TreeSet<>();
            for (int i = 1; i < texts.length; i++) {
                if (classes[i] != 0 && (owners.contains(i) || !permitted.contains(i))) {
                    types.add(topLevel(texts[classes[i]]));
                }
                if (texts[i] != null && texts[i].indexOf('L') >= 0) {
                    Matcher type = TYPE.matcher(texts[i]);
                    while (type.find()) {
                        types.add(topLevel(type.group(1)));
                    }
                }
            }
            return types;
        }
    }

    /** Tarjan's algorithm. It recurses once per class of a path, which these modules are small enough for. */
    private final class Components {

        final List<Set<String>> found = new ArrayList<>();
        private final Map<String, Integer> number = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> path = new ArrayDeque<>();

        void visit(String name) {
            if (number.containsKey(name)) {
                return;
            }
            int own = number.size();
            number.put(name, own);
            lowest.put(name, own);
            path.push(name);
            for (String target : uses.get(name)) {
                if (!number.containsKey(target)) {
                    visit(target);
                    lowest.merge(name, lowest.get(target), Math::min);
                } else if (path.contains(target)) {
                    lowest.merge(name, number.get(target), Math::min);
                }
            }
            if (lowest.get(name) == own) {
                Set<String> component = new TreeSet<>();
                String member;
                do {
                    member = path.pop();
                    component.add(member);
                } while (!member.equals(name));
                if (component.size() > 1) {
                    found.add(component);
                }
            }
        }
    }
}
