package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads a file with the files that it includes into one tree: what a file says holds over what it includes. */
final class SourceFiles {

    /** The most files that one may include, directly and through others. */
    static final int MOST = 32;

    private final Set<Path> read = new LinkedHashSet<>();
    private final Deque<Path> open = new ArrayDeque<>();

    /** Reads a file with what it includes; null if it is empty. */
    @Nullable
    MappingNode tree(Path file) {
        return tree(text(file), file.toString());
    }

    /** Reads the text of a file with what it includes; null if it is empty. */
    @Nullable
    MappingNode tree(String text, String fileName) {
        MappingNode root = YamlText.root(text, fileName);
        if (root == null || find(root, FileForm.INCLUDE) == null) {
            return root;
        }
        Path file = Path.of(fileName);
        open.push(file.toAbsolutePath().normalize());
        MappingNode all = null;
        for (Included each : included(root, file)) {
            Path other = each.path().toAbsolutePath().normalize();
            if (open.contains(other)) {
                throw each.place().mistake(each.path() + " includes itself");
            }
            if (!read.add(other) && read.size() > MOST) {
                throw each.place().mistake("more than " + MOST + " files");
            }
            if (!Files.isRegularFile(each.path())) {
                throw each.place()
                        .mistake(each.path() + ": no such file (expected: a path from the folder of this file)");
            }
            MappingNode found = tree(each.path());
            all = all == null ? found : found == null ? all : Trees.over(found, all);
        }
        open.pop();
        return all == null ? root : Trees.over(root, all);
    }

    /** The files that were included, in the order in which they were first named. */
    List<Path> included() {
        return List.copyOf(read);
    }

    /** A file that another one includes, and where it says so. */
    private record Included(Path path, Place place) {}

    private static List<Included> included(MappingNode root, Path file) {
        Node list = find(root, FileForm.INCLUDE);
        Place place = new Place(file.toString(), 0, 0, "")
                .child(FileForm.INCLUDE, list == null ? Optional.empty() : list.getStartMark());
        if (!(list instanceof SequenceNode sequence)) {
            throw place.mistake("a " + Trees.kind(requireNonNull(list)) + " (expected: a list)");
        }
        List<Included> files = new ArrayList<>();
        for (int i = 0; i < sequence.getValue().size(); i++) {
            Node item = sequence.getValue().get(i);
            Place at = place.item(i, item.getStartMark());
            if (!(item instanceof ScalarNode name)) {
                throw at.mistake("a " + Trees.kind(item) + " (expected: a path)");
            }
            files.add(new Included(file.resolveSibling(at.read(name.getValue(), Values::path)), at));
        }
        return files;
    }

    private static @Nullable Node find(MappingNode root, String key) {
        NodeTuple found = Trees.find(root, key);
        return found == null ? null : found.getValueNode();
    }

    private static String text(Path file) {
        Place place = new Place(file.toString(), 0, 0, "");
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(FileForm.MAX_LENGTH + 1);
        } catch (NoSuchFileException e) {
            throw place.mistake("no such file", e);
        } catch (IOException e) {
            throw place.mistake("cannot be read: " + e.getMessage(), e);
        }
        if (bytes.length > FileForm.MAX_LENGTH) {
            throw place.mistake("longer than " + FileForm.MAX_LENGTH + " bytes");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw place.mistake("not UTF-8", e);
        }
    }
}
