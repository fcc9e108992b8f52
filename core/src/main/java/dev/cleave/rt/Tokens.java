package dev.cleave.rt;

import java.util.Iterator;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a text that a {@link StringTokenizer} gives one after the other. Rewritten code iterates over them where the program has a
 * tokenizer that it asks for nothing else, because a loop that runs ahead needs a second one that begins anew.
 *
 * @param text the text; {@link #iterator} throws {@code NullPointerException} if it is null, as the tokenizer's constructor does
 * @param delimiters the characters between parts; if null, the first question that the iterator is asked throws
 * @param areReturned whether delimiters are parts, too
 */
public record Tokens(@Nullable String text, @Nullable String delimiters, boolean areReturned)
        implements Iterable<Object> {

    private static final String BLANK = " \t\n\r\f";

    /** The parts between blanks. */
    public static Iterable<Object> of(@Nullable String text) {
        return new Tokens(text, BLANK, false);
    }

    /** The parts between delimiters. */
    public static Iterable<Object> of(@Nullable String text, @Nullable String delimiters) {
        return new Tokens(text, delimiters, false);
    }

    /** The parts between delimiters, and on request these as well. */
    public static Iterable<Object> of(@Nullable String text, @Nullable String delimiters, boolean areReturned) {
        return new Tokens(text, delimiters, areReturned);
    }

    @Override
    @SuppressWarnings({"JdkObsolete", "NullAway"}) // the program uses this class; it throws what the program expects
    public Iterator<Object> iterator() {
        return new StringTokenizer(text, delimiters, areReturned).asIterator();
    }
}
