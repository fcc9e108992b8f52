package dev.cleave.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Puts trees of settings over each other. Nodes keep their marks, and with them their places. */
final class Trees {

    private Trees() {}

    /**
     * Returns the settings of both trees. Mappings are joined key by key; of other values, lists too, that of {@code
     * upper} holds.
     */
    static MappingNode over(MappingNode upper, MappingNode lower) {
        return over(upper, lower, FileForm.MAX_DEPTH); // a node may be named, and used within itself
    }

    private static MappingNode over(MappingNode upper, MappingNode lower, int depth) {
        List<NodeTuple> all = new ArrayList<>();
        Set<String> joined = new HashSet<>();
        for (NodeTuple tuple : lower.getValue()) {
            NodeTuple above = find(upper, key(tuple));
            if (above == null || !joined.add(key(tuple))) {
                all.add(tuple);
            } else if (isNull(above.getValueNode())) {
                all.add(tuple);
            } else if (depth > 0
                    && above.getValueNode() instanceof MappingNode u
                    && tuple.getValueNode() instanceof MappingNode l) {
                all.add(new NodeTuple(above.getKeyNode(), over(u, l, depth - 1)));
            } else {
                all.add(above);
            }
        }
        Set<String> taken = new HashSet<>();
        for (NodeTuple tuple : upper.getValue()) { // a key that is there twice stays so: Section tells of it
            if (!taken.add(key(tuple)) || !joined.contains(key(tuple))) {
                all.add(tuple);
            }
        }
        return mapping(all, upper.getStartMark());
    }

    /** Returns a mapping with one key set to a value. */
    static MappingNode with(MappingNode mapping, NodeTuple setting) {
        List<NodeTuple> all = new ArrayList<>();
        boolean isSet = false;
        for (NodeTuple tuple : mapping.getValue()) {
            boolean same = key(tuple).equals(key(setting));
            if (!same || !isSet) {
                all.add(same ? setting : tuple);
            }
            isSet |= same;
        }
        if (!isSet) {
            all.add(setting);
        }
        return mapping(all, mapping.getStartMark());
    }

    /** Writes a tree as a document of one line, without what it includes. */
    static String text(Node node) {
        StringBuilder text = new StringBuilder();
        write(node, text, FileForm.MAX_DEPTH);
        return text.toString();
    }

    private static void write(Node node, StringBuilder text, int depth) {
        if (depth == 0) {
            throw new Place("", 0, 0, "").mistake("nested more than " + FileForm.MAX_DEPTH + " deep");
        }
        if (node instanceof MappingNode mapping) {
            String separator = "{";
            for (NodeTuple tuple : mapping.getValue()) {
                if (depth == FileForm.MAX_DEPTH && key(tuple).equals(FileForm.INCLUDE)) {
                    continue;
                }
                text.append(separator);
                write(tuple.getKeyNode(), text, depth - 1);
                text.append(": ");
                write(tuple.getValueNode(), text, depth - 1);
                separator = ", ";
            }
            text.append(separator.equals("{") ? "{}" : "}");
        } else if (node instanceof SequenceNode list) {
            String separator = "[";
            for (Node item : list.getValue()) {
                text.append(separator);
                write(item, text, depth - 1);
                separator = ", ";
            }
            text.append(separator.equals("[") ? "[]" : "]");
        } else if (isNull(node)) {
            text.append('~');
        } else {
            quote(((ScalarNode) node).getValue(), text);
        }
        if (text.length() > FileForm.MAX_LENGTH / 2) {
            throw new Place("", 0, 0, "").mistake("longer than " + FileForm.MAX_LENGTH / 2 + " characters");
        }
    }

    private static void quote(String value, StringBuilder text) {
        text.append('"');
        value.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                text.append('\\').appendCodePoint(c);
            } else if (Character.isISOControl(c) || c > Character.MAX_VALUE || Character.isSurrogate((char) c)) {
                text.append(String.format("\\U%08x", c));
            } else {
                text.appendCodePoint(c);
            }
        });
        text.append('"');
    }

    /** Whether a node is the empty value. */
    static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    /** Names the kind of a node, for messages. */
    static String kind(Node node) {
        return switch (node.getNodeType()) {
            case MAPPING -> "mapping";
            case SEQUENCE -> "list";
            case SCALAR -> "single value";
            case ANCHOR -> "anchor";
        };
    }

    static MappingNode mapping(List<NodeTuple> tuples, Optional<Mark> mark) {
        return new MappingNode(Tag.MAP, true, tuples, FlowStyle.BLOCK, mark, mark);
    }

    static ScalarNode scalar(String text, Optional<Mark> mark) {
        return new ScalarNode(Tag.STR, true, text, ScalarStyle.PLAIN, mark, mark);
    }

    static @Nullable NodeTuple find(MappingNode mapping, String key) {
        for (NodeTuple tuple : mapping.getValue()) {
            if (key(tuple).equals(key)) {
                return tuple;
            }
        }
        return null;
    }

    /** The text of a key; empty for one that is no single value, which Section refuses. */
    static String key(NodeTuple tuple) {
        Node key = tuple.getKeyNode();
        return key instanceof ScalarNode name ? name.getValue() : "";
    }
}
