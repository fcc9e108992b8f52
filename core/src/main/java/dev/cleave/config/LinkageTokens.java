package dev.cleave.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits one linkage expression into words and signs; its mistakes name the place by the number of the character, from
 * 1.
 */
final class LinkageTokens {

    static final int LONGEST = 10_000;

    private static final Pattern TOKEN =
            Pattern.compile("\\s*([A-Za-z0-9][A-Za-z0-9._-]*|>=|<=|==|!=|&&|\\|\\||[#:=,()\\[\\]/*<>])");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int next;

    /** A word or sign, and the number of its first character. */
    record Token(String text, int at) {}

    LinkageTokens(String text) {
        this.text = text;
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "a linkage of " + text.length() + " characters (expected: at most " + LONGEST + ")");
        }
        Matcher matcher = TOKEN.matcher(text);
        int end = 0;
        while (matcher.lookingAt()) {
            tokens.add(new Token(matcher.group(1), matcher.start(1) + 1));
            end = matcher.end();
            matcher.region(end, text.length());
        }
        String rest = text.substring(end).strip();
        if (!rest.isEmpty()) {
            int at = text.indexOf(rest, end);
            throw mistake("'" + text.substring(at, text.offsetByCodePoints(at, 1)) + "' at character " + (at + 1)
                    + " (expected: harvey(oc: load >= 10) # bugs(uc: load == 0) : [1/2])");
        }
    }

    /** Skips a sign if it comes next, and says whether it did. */
    boolean skip(String sign) {
        boolean isNext = next < tokens.size() && tokens.get(next).text().equals(sign);
        next += isNext ? 1 : 0;
        return isNext;
    }

    /** Skips one of some signs, and returns it. */
    String expect(String... signs) {
        for (String sign : signs) {
            if (skip(sign)) {
                return sign;
            }
        }
        throw unexpected(String.join(" or ", signs));
    }

    /** A name or keyword. */
    Token word(String expected) {
        boolean isWord = next < tokens.size()
                && (Character.isLetterOrDigit(tokens.get(next).text().charAt(0))
                        || tokens.get(next).text().equals("*"));
        if (!isWord) {
            throw unexpected(expected);
        }
        return tokens.get(next++);
    }

    int number(int least, int most) {
        String expected = "a number from " + least + " to " + most;
        if (next >= tokens.size() || !tokens.get(next).text().matches("\\d{1,9}")) {
            throw unexpected(expected);
        }
        int number = Integer.parseInt(tokens.get(next).text());
        if (number < least || number > most) {
            throw unexpected(expected);
        }
        next++;
        return number;
    }

    void end() {
        if (next < tokens.size()) {
            throw unexpected("# or the end");
        }
    }

    String at(Token token) {
        return " at character " + token.at();
    }

    IllegalArgumentException mistake(String fact, Token token, List<String> known) {
        return mistake(fact + " " + token.text() + at(token) + " " + Nearest.hint(token.text(), known));
    }

    IllegalArgumentException mistake(String fact) {
        return new IllegalArgumentException(text + ": " + fact);
    }

    private IllegalArgumentException unexpected(String expected) {
        String found = next < tokens.size() ? tokens.get(next).text() + at(tokens.get(next)) : "the end";
        return mistake(found + " (expected: " + expected + ")");
    }
}
