package dev.cleave.jmh.bench.programs;

/** What currencies cost. */
interface Rates {

    /** What a currency costs in euro. */
    double of(String currency);
}
