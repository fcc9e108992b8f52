package dev.cleave.jmh.bench.programs;

/** The prices of currencies. */
interface Rates {

    /** The price of a currency in euro. */
    double of(String currency);
}
