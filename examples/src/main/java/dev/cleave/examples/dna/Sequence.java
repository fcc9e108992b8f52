package dev.cleave.examples.dna;

import static java.util.Objects.requireNonNull;

/**
 * One sequence of a database.
 *
 * @param header its line in the database, without the leading {@code >}
 * @param letters the bases, in capitals
 */
public record Sequence(String header, String letters) {

    /** Checks its components. */
    public Sequence {
        requireNonNull(header, "header");
        requireNonNull(letters, "letters");
        if (letters.isEmpty()) {
            throw new IllegalArgumentException("letters: empty (expected: at least one base) in " + header);
        }
    }

    /** The accession: the fourth field of a GenBank header, {@code gi|number|database|accession|}, else its first word. */
    public String accession() {
        String word = firstWord();
        String[] fields = word.split("\\|");
        return fields.length >= 4 ? fields[3] : word;
    }

    /** The header after its first word. */
    public String name() {
        String name = header.substring(firstWord().length()).strip();
        return name.isEmpty() ? accession() : name;
    }

    /** The organism: the words of the name up to the first that tells what was sequenced. */
    public String organism() {
        String[] words = name().split(" ");
        if (words[0].contains(".") || words.length == 1) {
            return words[0];
        }
        int comma = name().indexOf(',');
        return comma < 0 ? words[0] + " " + words[1] : name().substring(0, comma);
    }

    private String firstWord() {
        int space = header.indexOf(' ');
        return space < 0 ? header : header.substring(0, space);
    }
}
