package dev.cleave.rt;

import static java.util.Objects.requireNonNull;

/**
 * A user's name for one rewritten call, or for many: {@code *} for all, consecutive whole words of the place ({@code
 * com.shop.Search}, {@code Search.best}), the same with a line ({@code Search.best:41}), or of the remote method
 * ({@code Compare}, {@code Compare.score}).
 */
record SiteName(String text) {

    static final SiteName ALL = new SiteName("*");

    SiteName {
        requireNonNull(text, "name");
        if (text.isBlank() || !text.equals(text.strip())) {
            throw new IllegalArgumentException("name: '" + text
                    + "' (expected: *, or words of Class.method, Class.method:line or Interface.method)");
        }
    }

    boolean fits(String place, int line, String call) {
        return text.equals("*") || isRun(place + ':' + line) || isRun(place) || isRun(call);
    }

    private boolean isRun(String words) {
        return ('.' + words + '.').contains('.' + text + '.');
    }
}
