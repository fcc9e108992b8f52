package dev.cleave.agent.cli;

import dev.cleave.agent.report.Plain;
import dev.cleave.agent.report.Report;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.transform.Weaver;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder whose classes are rewritten where they are, as a build does between its compiler and its packaging. A second folder
 * keeps them as the compiler wrote them, so that the next build may weave again with another application file.
 */
final class FolderInPlace {

    private final Path classes;
    private final Path originals;

    FolderInPlace(Path classes, Path originals) {
        this.classes = classes;
        this.originals = originals;
    }

    /**
     * Returns the folder that has the classes as the compiler wrote them: the classes' own folder if none of them was rewritten.
     *
     * @throws IllegalArgumentException if a class was rewritten and its original is not kept
     */
    Path asWritten() throws IOException {
        return keep() ? originals : classes;
    }

    /** Rewrites the classes that the agent would rewrite; files that would not change are not touched. */
    void weave(CallSettings settings, PrintWriter out) throws IOException {
        keep();
        try (ProgramPath path = ProgramPath.open(List.of(originals.toString()))) {
            Weaving weaving = new Weaving(path.weaver(settings));
            ProgramFiles files = path.parts().get(0);
            for (String name : files.classes()) {
                byte[] woven = weaving.weave(name, files.read(name));
                Path target = classes.resolve(name);
                if (!Arrays.equals(woven, Files.readAllBytes(target))) {
                    Files.write(target, woven);
                }
            }
            Report report = weaving.report(path.missing());
            out.println(Plain.line(report.summary() + "; rewritten in " + classes));
            report.notes().forEach(note -> out.println(Plain.line(note)));
        }
    }

    /** Copies the classes that are as written, and drops copies whose classes are gone. Returns whether a class was rewritten. */
    private boolean keep() throws IOException {
        boolean isWoven = false;
        Files.createDirectories(originals);
        for (Path name : classFiles(classes)) {
            byte[] file = Files.readAllBytes(classes.resolve(name));
            Path copy = originals.resolve(name);
            if (Weaver.isWoven(file)) {
                isWoven = true;
                if (!Files.exists(copy)) {
                    throw new IllegalArgumentException(classes.resolve(name) + ": was rewritten, and " + originals
                            + " does not have it as it was (expected: a build from clean)");
                }
            } else if (!Files.exists(copy) || !Arrays.equals(file, Files.readAllBytes(copy))) {
                Files.createDirectories(copy.getParent());
                Files.write(copy, file);
            }
        }
        for (Path name : classFiles(originals)) {
            if (!Files.exists(classes.resolve(name))) {
                Files.delete(originals.resolve(name));
            }
        }
        return isWoven;
    }

    private static List<Path> classFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .map(folder::relativize)
                    .sorted()
                    .toList();
        }
    }
}
