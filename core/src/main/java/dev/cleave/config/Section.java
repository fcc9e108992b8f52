package dev.cleave.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
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
    private final Findings findings;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** A value and the place of its key. */
    private record Entry(Place place, Node value) {

        /** The place for mistakes in the value: that of a single value or list itself, that of the key of a mapping. */
        Place ofValue() {
            return value instanceof MappingNode ? place : place.at(value.getStartMark());
        }
    }

    private Section(Place place, Findings findings) {
        this.place = place;
        this.findings = findings;
    }

    static Section empty(Place place, Findings findings) {
        return new Section(place, findings);
    }

    static Section of(MappingNode mapping, Place place, Findings findings) {
        Section section = new Section(place, findings);
        checkTag(mapping, place);
        for (NodeTuple tuple : mapping.getValue()) {
            Optional<Mark> mark = tuple.getKeyNode().getStartMark();
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                findings.mistake(
                        place.child("?", mark).mistake("a " + kind(tuple.getKeyNode()) + " (expected: a key)"));
                continue;
            }
            Entry entry = new Entry(place.child(key.getValue(), mark), tuple.getValueNode());
            Entry before = section.entries.putIfAbsent(key.getValue(), entry);
            if (before != null) {
                findings.mistake(entry.place.mistake("given twice (first in line " + before.place.line() + ")"));
            } else {
                findings.found(entry.ofValue());
            }
        }
        return section;
    }

    /** Reads a part of the file; null if that has a mistake, and the others are to be found too. */
    <T> @Nullable T attempt(Supplier<@Nullable T> reader) {
        try {
            return reader.get();
        } catch (ConfigException e) {
            findings.mistake(e);
            return null;
        }
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
                findings.mistake(
                        mayBeAnotherFile // a message must not show the contents of a file that is no application file
                                ? entry.place
                                        .named("")
                                        .mistake("a key of " + key.length() + " characters " + Nearest.hint("", keys))
                                : entry.place.mistake("unknown key " + Nearest.hint(key, keys)));
            }
        });
    }

    /** The keys. */
    Set<String> names() {
        return entries.keySet();
    }

    boolean has(String key) {
        return entries.containsKey(key);
    }

    @Nullable
    String text(String key) {
        Entry entry = entries.get(key);
        return entry == null ? null : scalar(entry.value, entry.ofValue());
    }

    /**
     * Returns the value of a key, which a function makes from its text; the function throws
     * {@link IllegalArgumentException} with the reason.
     */
    <T> @Nullable T value(String key, Function<String, T> reader) {
        Entry entry = entries.get(key);
        return entry == null
                ? null
                : attempt(() -> {
                    Place at = entry.ofValue();
                    return at.read(scalar(entry.value, at), reader);
                });
    }

    <T> List<T> values(String key, Function<String, T> reader) {
        List<T> values = new ArrayList<>();
        items(key, (item, at) -> {
            T value = attempt(() -> at.read(scalar(item, at), reader));
            if (value != null) {
                values.add(value);
            }
        });
        return values;
    }

    Map<String, String> textByName(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        section(key)
                .ifPresent(s -> s.entries.forEach((name, e) -> {
                    String text = attempt(() -> scalar(e.value, e.ofValue()));
                    if (text != null) {
                        texts.put(name, text);
                    }
                }));
        return texts;
    }

    Optional<Section> section(String key) {
        Entry entry = entries.get(key);
        return entry == null
                ? Optional.empty()
                : Optional.ofNullable(attempt(() -> mapping(entry.value, entry.ofValue())));
    }

    Map<String, Section> sectionByName(String key) {
        Map<String, Section> sections = new LinkedHashMap<>();
        section(key)
                .ifPresent(s -> s.entries.forEach((name, e) -> {
                    Section section = attempt(() -> mapping(e.value, e.ofValue()));
                    if (section != null) {
                        sections.put(name, section);
                    }
                }));
        return sections;
    }

    List<Section> sections(String key) {
        List<Section> sections = new ArrayList<>();
        items(key, (item, at) -> {
            Section section = attempt(() -> mapping(item, at));
            if (section != null) {
                sections.add(section);
            }
        });
        return sections;
    }

    private void items(String key, BiConsumer<Node, Place> reader) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return;
        }
        if (!(entry.value instanceof SequenceNode list)) {
            findings.mistake(entry.ofValue().mistake("a " + kind(entry.value) + " (expected: a list)"));
            return;
        }
        checkTag(list, entry.place);
        for (int i = 0; i < list.getValue().size(); i++) {
            Node item = list.getValue().get(i);
            Place at = entry.place.item(i, item.getStartMark());
            findings.found(at);
            reader.accept(item, at);
        }
    }

    private Section mapping(Node node, Place place) {
        if (isNull(node)) {
            return empty(place, findings);
        }
        if (!(node instanceof MappingNode mapping)) {
            throw place.mistake("a " + kind(node) + " (expected: keys and values)");
        }
        return of(mapping, place, findings);
    }

    private static String scalar(Node node, Place place) {
        if (!(node instanceof ScalarNode scalar) || isNull(node)) {
            throw place.mistake((isNull(node) ? "empty" : "a " + kind(node)) + " (expected: a value)");
        }
        checkTag(node, place);
        return scalar.getValue();
    }

    static boolean isNull(Node node) {
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
