package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;

/**
 * An application file as it was read, for tools that say more about it than its first mistake.
 *
 * @param bindings its settings, without those that are mistakes
 * @param files the file, and those that it includes
 * @param mistakes all mistakes in it, in the order in which they stand there; those that only show when classes are
 *     looked up are not among them
 * @param places the places of all keys, such as {@code services.compare.replicas[0].host}
 */
public record ApplicationFile(
        Bindings bindings, List<Path> files, List<ConfigException> mistakes, Map<String, Place> places) {

    /** Copies its components. */
    public ApplicationFile {
        requireNonNull(bindings, "bindings");
        files = List.copyOf(files);
        mistakes = List.copyOf(mistakes);
        places = Copies.inOrder(places);
    }

    /**
     * Reads a file, and stops at the first mistake. Knows no places.
     *
     * @throws ConfigException if it cannot be read, or says something that is not understood
     */
    static ApplicationFile read(Path file) {
        return read(file, ReadOutcome.strict());
    }

    /** Reads a file, with all its mistakes. */
    public static ApplicationFile check(Path file) {
        ReadOutcome outcome = ReadOutcome.all();
        try {
            return read(file, outcome);
        } catch (ConfigException e) { // a file that cannot be read, or is not YAML
            return new ApplicationFile(Bindings.NONE, List.of(file), List.of(e), Map.of());
        }
    }

    private static ApplicationFile read(Path file, ReadOutcome outcome) {
        SourceFiles source = new SourceFiles();
        MappingNode tree = Overrides.ofProcess(source.tree(file));
        Bindings bindings = BindingsReader.read(root(tree, file.toString(), outcome));
        List<Path> files = new ArrayList<>();
        files.add(file);
        files.addAll(source.included());
        return new ApplicationFile(bindings, files, outcome.mistakes(), outcome.places());
    }

    /**
     * Returns the text of a file with what it includes, and the {@link Overrides} of this process, as one document.
     *
     * @throws ConfigException if it has a mistake
     */
    public static String flat(Path file) {
        ApplicationFile unused = read(file);
        MappingNode tree = Overrides.ofProcess(new SourceFiles().tree(file));
        return tree == null ? "" : Trees.text(tree);
    }

    /**
     * Reads a {@linkplain #flat text} that another process has sent, under the {@link Overrides} of this one.
     *
     * @throws ConfigException if it has a mistake
     */
    public static Bindings received(String text) {
        String source = "the file that was sent";
        return BindingsReader.read(
                root(Overrides.ofProcess(YamlText.root(text, source)), source, ReadOutcome.strict()));
    }

    static Section root(@Nullable MappingNode tree, String fileName, ReadOutcome outcome) {
        Place place = new Place(fileName, 0, 0, "");
        return tree == null ? Section.empty(place, outcome) : Section.of(tree, place, outcome);
    }

    /** Returns the place of a key, or of the nearest section around it that is there. */
    public Place place(String key) {
        for (String at = key; !at.isEmpty(); at = outer(at)) {
            Place known = places.get(at);
            if (known != null) {
                return known;
            }
        }
        return new Place(files.get(0).toString(), 0, 0, "");
    }

    /** Whether one of the files has a key of an application file, so that its lines may be shown. */
    public boolean isPart(String file) {
        return places.entrySet().stream()
                .anyMatch(each -> each.getValue().file().equals(file) && KeyLists.ROOT.contains(root(each.getKey())));
    }

    private static String root(String key) {
        String outer = outer(key);
        return outer.isEmpty() ? key : root(outer);
    }

    private static String outer(String key) {
        return key.substring(0, Math.max(0, Math.max(key.lastIndexOf('.'), key.lastIndexOf('['))));
    }
}
