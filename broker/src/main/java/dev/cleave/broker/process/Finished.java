package dev.cleave.broker.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A program that has ended.
 *
 * @param name its name in messages
 * @param exitCode its exit code
 * @param output the file that holds its standard output
 * @param errors the file that holds its standard error
 */
public record Finished(String name, int exitCode, Path output, Path errors) {

    /**
     * The lines of its standard error.
     *
     * @throws ProcessException if it did not end with 0
     */
    public List<String> messages() throws IOException {
        List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8);
        if (exitCode != 0) {
            String said = lines.stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("\tat "))
                    .findFirst()
                    .map(line -> line.replaceFirst("^Exception in thread \"main\" ", ""))
                    .orElse("it printed nothing");
            throw new ProcessException(name + " " + Endings.describe(exitCode) + ": " + said, null);
        }
        return lines;
    }
}
