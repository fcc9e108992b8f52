package dev.cleave.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the places of the keys of an application file, and its mistakes, while it is read. */
final class ReadOutcome {

    private final boolean isStrict;
    private final List<ConfigException> mistakes = new ArrayList<>();
    private final Map<String, Place> places = new LinkedHashMap<>();

    private ReadOutcome(boolean isStrict) {
        this.isStrict = isStrict;
    }

    /** Throws the first mistake. */
    static ReadOutcome strict() {
        return new ReadOutcome(true);
    }

    /** Keeps all mistakes, and the places of all keys. */
    static ReadOutcome all() {
        return new ReadOutcome(false);
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
