package dev.cleave.jmh.bench.programs;

import java.util.HashMap;
import java.util.Map;

/** Asks a bank for each currency once. Of one thread. */
final class CachedRates implements Rates {

    private final Bank bank;
    private final Map<String, Double> cache = new HashMap<>();

    CachedRates(Bank bank) {
        this.bank = bank;
    }

    @Override
    public double of(String currency) {
        return cache.computeIfAbsent(currency, bank::rate);
    }
}
