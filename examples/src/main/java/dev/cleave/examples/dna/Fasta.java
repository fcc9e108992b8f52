package dev.cleave.examples.dna;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads the FASTA format: a header line that begins with {@code >}, then lines of letters. */
public final class Fasta {

    private Fasta() {}

    /**
     * Reads all sequences of a file.
     *
     * @throws IOException if the text cannot be read or is not FASTA; the message names the line
     */
    public static List<Sequence> read(Reader text, String fileName) throws IOException {
        List<Sequence> sequences = new ArrayList<>();
        BufferedReader lines = new BufferedReader(text);
        StringBuilder letters = new StringBuilder();
        String header = "";
        int headerLine = 0;
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (line.startsWith(">")) {
                if (headerLine > 0) {
                    sequences.add(sequence(header, letters, fileName, headerLine));
                }
                header = line.substring(1).strip();
                headerLine = number;
                letters.setLength(0);
            } else if (!line.isBlank()) {
                append(line.strip(), letters, fileName + ":" + number, headerLine > 0);
            }
        }
        if (headerLine > 0) {
            sequences.add(sequence(header, letters, fileName, headerLine));
        }
        return List.copyOf(sequences);
    }

    private static void append(String line, StringBuilder letters, String where, boolean underHeader)
            throws IOException {
        if (!underHeader) {
            throw new IOException(where + ": letters before the first header (expected: a line that begins with >)");
        }
        for (int i = 0; i < line.length(); i++) {
            if (!Character.isLetter(line.charAt(i))) {
                throw new IOException(where + ": '" + line.charAt(i) + "' (expected: a letter)");
            }
        }
        letters.append(line.toUpperCase(Locale.ROOT));
    }

    private static Sequence sequence(String header, StringBuilder letters, String fileName, int line)
            throws IOException {
        if (letters.isEmpty()) {
            throw new IOException(fileName + ":" + line + ": no letters below the header " + header);
        }
        return new Sequence(header, letters.toString());
    }
}
