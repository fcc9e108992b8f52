package dev.cleave.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the reader of an application file finds in it besides its settings: places, and mistakes. */
final class Findings {

    private final boolean isStrict;
    private final List<ConfigException> mistakes = new ArrayList<>();
    private final Map<String, Place> places = new LinkedHashMap<>();

    private Findings(boolean isStrict) {
        this.isStrict = isStrict;
    }

    /** Throws the first mistake. */
    static Findings strict() {
        return new Findings(true);
    }

    /** Keeps all mistakes, and the places of all keys. */
    static Findings all() {
        return new Findings(false);
    }

    void mistake(ConfigException mistake) {
        if (isStrict) {
            throw mistake;
        }
        if (mistakes.stream()
                .noneMatch(known -> String.valueOf(known.getMessage()).equals(mistake.getMessage()))) {
            mistakes.add(mistake);
        }
    }

    void found(Place place) {
        if (!isStrict) {
            places.putIfAbsent(place.key(), place);
        }
    }

    List<ConfigException> mistakes() {
        return mistakes;
    }

    Map<String, Place> places() {
        return places;
    }
}
