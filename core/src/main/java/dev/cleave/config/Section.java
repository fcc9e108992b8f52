package dev.cleave.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The keys and values of one mapping of the file, each with its place. */
final class Section {

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_.-]{1,60}");

    private final Place place;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** A value and the place of its key. */
    private record Entry(Place place, Node value) {}

    private Section(Place place) {
        this.place = place;
    }

    static Section empty(Place place) {
        return new Section(place);
    }

    static Section of(MappingNode mapping, Place place) {
        Section section = new Section(place);
        checkTag(mapping, place);
        for (NodeTuple tuple : mapping.getValue()) {
            int line = YamlText.line(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw place.child("?", line).mistake("a " + kind(tuple.getKeyNode()) + " (expected: a key)");
            }
            Entry entry = new Entry(place.child(key.getValue(), line), tuple.getValueNode());
            Entry before = section.entries.putIfAbsent(key.getValue(), entry);
            if (before != null) {
                throw entry.place.mistake("given twice (first in line " + before.place.line() + ")");
            }
        }
        return section;
    }

    Place place() {
        return place;
    }

    /** Returns the place of a key, or of the section if it does not have the key. */
    Place place(String key) {
        Entry entry = entries.get(key);
        return entry == null ? place : entry.place;
    }

    void allow(List<String> keys) {
        entries.forEach((key, entry) -> {
            if (!keys.contains(key)) {
                boolean mayBeAnotherFile =
                        place.key().isEmpty() && !KEY.matcher(key).matches();
                if (mayBeAnotherFile) { // a message must not show the contents of a file that is no application file
                    throw place.child("", entry.place.line())
                            .mistake("a key of " + key.length() + " characters " + Nearest.hint("", keys));
                }
                throw entry.place.mistake("unknown key " + Nearest.hint(key, keys));
            }
        });
    }

    boolean has(String key) {
        return entries.containsKey(key);
    }

    @Nullable
    String text(String key) {
        Entry entry = entries.get(key);
        return entry == null ? null : scalar(entry.value, entry.place);
    }

    /**
     * Returns the value of a key, which a function makes from its text; the function throws
     * {@link IllegalArgumentException} with the reason.
     */
    <T> @Nullable T value(String key, Function<String, T> reader) {
        String text = text(key);
        return text == null ? null : place(key).read(text, reader);
    }

    <T> List<T> values(String key, Function<String, T> reader) {
        List<T> values = new ArrayList<>();
        items(key, (item, at) -> values.add(at.read(scalar(item, at), reader)));
        return values;
    }

    Map<String, String> textByName(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        section(key).ifPresent(s -> s.entries.forEach((name, e) -> texts.put(name, scalar(e.value, e.place))));
        return texts;
    }

    Optional<Section> section(String key) {
        Entry entry = entries.get(key);
        return entry == null ? Optional.empty() : Optional.of(mapping(entry.value, entry.place));
    }

    Map<String, Section> sectionByName(String key) {
        Map<String, Section> sections = new LinkedHashMap<>();
        section(key).ifPresent(s -> s.entries.forEach((name, e) -> sections.put(name, mapping(e.value, e.place))));
        return sections;
    }

    List<Section> sections(String key) {
        List<Section> sections = new ArrayList<>();
        items(key, (item, at) -> sections.add(mapping(item, at)));
        return sections;
    }

    private void items(String key, BiConsumer<Node, Place> reader) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return;
        }
        if (!(entry.value instanceof SequenceNode list)) {
            throw entry.place.mistake("a " + kind(entry.value) + " (expected: a list)");
        }
        checkTag(list, entry.place);
        for (int i = 0; i < list.getValue().size(); i++) {
            Node item = list.getValue().get(i);
            reader.accept(item, entry.place.item(i, YamlText.line(item.getStartMark())));
        }
    }

    private static Section mapping(Node node, Place place) {
        if (isNull(node)) {
            return empty(place);
        }
        if (!(node instanceof MappingNode mapping)) {
            throw place.mistake("a " + kind(node) + " (expected: keys and values)");
        }
        return of(mapping, place);
    }

    private static String scalar(Node node, Place place) {
        if (!(node instanceof ScalarNode scalar) || isNull(node)) {
            throw place.mistake((isNull(node) ? "empty" : "a " + kind(node)) + " (expected: a value)");
        }
        checkTag(node, place);
        return scalar.getValue();
    }

    private static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private static void checkTag(Node node, Place place) {
        List<Tag> known = List.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.MAP, Tag.SEQ);
        if (!known.contains(node.getTag())) {
            throw place.mistake("tag " + node.getTag().getValue() + " (expected: no tag)");
        }
    }

    static String kind(Node node) {
        return switch (node.getNodeType()) {
            case MAPPING -> "mapping";
            case SEQUENCE -> "list";
            case SCALAR -> "single value";
            case ANCHOR -> "anchor";
        };
    }
}
