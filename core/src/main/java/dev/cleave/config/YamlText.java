package dev.cleave.config;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Turns YAML into a tree of nodes with line numbers. Nothing is constructed from tags; depth, aliases and length are
 * limited before the tree is built.
 */
final class YamlText {

    static final int MAX_ALIASES = 100;

    private static final int MOST_OF_PROBLEM = 120; // characters
    private static final Pattern QUOTED =
            Pattern.compile("(undefined alias|undefined tag handle|duplicate (?:key|anchor)) .*");

    private YamlText() {}

    /**
     * Reads the tree of a text.
     *
     * @param fileName the name of its file; the marks of all nodes have it
     * @return the root; null if the text is empty
     */
    static @Nullable MappingNode root(String text, String fileName) {
        Place place = new Place(fileName, 0, 0, "");
        Node root = node(text, place);
        if (root == null || root.getTag().equals(Tag.NULL)) {
            return null;
        }
        if (!(root instanceof MappingNode mapping)) {
            throw place.mistake("a " + Trees.kind(root) + " (expected: keys and values)");
        }
        return mapping;
    }

    /** Reads the tree of a text; null if it is empty. */
    static @Nullable Node node(String text, Place place) {
        if (text.length() > FileForm.MAX_LENGTH) {
            throw place.mistake("longer than " + FileForm.MAX_LENGTH + " characters");
        }
        LoadSettings settings = LoadSettings.builder()
                .setLabel(place.file())
                .setAllowDuplicateKeys(true) // found, with both lines, by Section
                .setCodePointLimit(FileForm.MAX_LENGTH)
                .build();
        try {
            checkLimits(new Parse(settings).parseString(text), place);
            return new Compose(settings).composeString(text).orElse(null);
        } catch (MarkedYamlEngineException e) {
            Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
            throw place.child("", mark).mistake("not YAML: " + problem(e.getProblem()));
        } catch (YamlEngineException e) {
            throw place.mistake("not YAML: " + problem(String.valueOf(e.getMessage())));
        }
    }

    private static void checkLimits(Iterable<Event> events, Place place) {
        int depth = 0;
        int aliases = 0;
        for (Event event : events) {
            Place at = place.child("", event.getStartMark());
            switch (event.getEventId()) {
                case MappingStart, SequenceStart -> depth++;
                case MappingEnd, SequenceEnd -> depth--;
                case Alias -> aliases++;
                default -> {}
            }
            if (depth > FileForm.MAX_DEPTH) {
                throw at.mistake("nested more than " + FileForm.MAX_DEPTH + " deep");
            }
            if (aliases > MAX_ALIASES) {
                throw at.mistake("more than " + MAX_ALIASES + " aliases");
            }
        }
    }

    /**
     * Returns the parser's description of a mistake without the text that it quotes: the file may be another one than
     * the user meant.
     */
    private static String problem(String text) {
        String words = QUOTED.matcher(text.replaceAll("\\s+", " ").strip()).replaceFirst("$1");
        return Place.shortened(words, MOST_OF_PROBLEM);
    }
}
