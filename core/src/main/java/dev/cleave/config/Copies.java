package dev.cleave.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Immutable copies of maps that keep their order. */
final class Copies {

    private Copies() {}

    static <K, V> Map<K, V> inOrder(Map<K, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
