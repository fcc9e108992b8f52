package dev.cleave.lab.strangers;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The attacker's suite: each row tries to gain a right at a broker and a server with keys. */
public final class StrangersRun {

    private static final String LINE = "%-62s %8s %9s  %s";

    private final long seed;
    private final int rounds;
    private final Path directory;
    private final List<String> lines = new ArrayList<>();
    private boolean kept = true;

    /** Attempts of one kind; returns how many. */
    @FunctionalInterface
    private interface Attack {

        int run() throws IOException, GeneralSecurityException, InterruptedException;
    }

    /**
     * Prepares a run.
     *
     * @param seed of the random bytes
     * @param rounds how often each message with random bytes is sent after HELLO
     * @param directory where keys go
     */
    public StrangersRun(long seed, int rounds, Path directory) {
        this.seed = seed;
        this.rounds = rounds;
        this.directory = directory;
    }

    /**
     * Runs all rows.
     *
     * @param progress told what begins
     * @return whether no right was gained
     */
    public boolean run(Consumer<String> progress) throws Exception {
        lines.add(String.format(Locale.ROOT, LINE, "strangers, seed " + seed, "tries", "time", "gained"));
        try (Bank bank = new Bank(directory)) {
            Attacks attacks = new Attacks(bank, seed);
            TokenAttacks tokens = new TokenAttacks(bank, attacks::garbage);
            Crowd crowd = new Crowd(bank);
            row(bank, progress, "each message in plain bytes, at each port", attacks::plainBytes);
            row(bank, progress, "TLS without a certificate", attacks::withoutCertificate);
            row(bank, progress, "expired and foreign certificates", attacks::badCertificates);
            row(bank, progress, "each message before HELLO", attacks::beforeHello);
            row(bank, progress, "each message after HELLO, random bytes", () -> attacks.garbageAfterHello(rounds));
            row(bank, progress, "calls without a right, direct and relayed", attacks::callsWithoutRight);
            row(
                    bank,
                    progress,
                    "names of others in HELLO: register, find, drain, recall",
                    attacks::questionsUnderOtherNames);
            row(bank, progress, "a caller's identity claimed by somebody who is no broker", attacks::claimedCallers);
            row(bank, progress, "words of a broker, said to a server by a guest", attacks::wordsOfABroker);
            row(
                    bank,
                    progress,
                    "calls of many long names without a right",
                    () -> attacks.longNamesWithoutRight(3 * rounds));
            row(bank, progress, "recorded bytes of a client, sent again", crowd::replayedBytes);
            row(bank, progress, "results of calls of others, by guessed keys", attacks::guessedKeys);
            row(bank, progress, "addresses that a server shall dial for calls of a guest", attacks::dialsForStrangers);
            row(bank, progress, "tokens: expired, from the future, for others, of others", tokens::badTokens);
            row(bank, progress, "proofs of tokens, replayed and passed on", tokens::replayedProofs);
            row(bank, progress, "each message before the proof of a token", tokens::beforeProof);
            row(bank, progress, "half-open connections", crowd::halfOpen);
            row(bank, progress, "memory after all of it", crowd::memory);
        }
        return kept;
    }

    /** The rows, for people. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    private void row(Bank bank, Consumer<String> progress, String what, Attack attack) throws Exception {
        progress.accept(what);
        long began = System.nanoTime();
        int attempts = 0;
        String gained;
        try {
            attempts = attack.run();
            gained = bank.gained();
        } catch (Attacks.GainedException e) {
            gained = String.valueOf(e.getMessage());
        }
        kept &= gained.isEmpty();
        String took = (System.nanoTime() - began) / 1_000_000 + " ms";
        lines.add(String.format(
                Locale.ROOT, LINE, what, attempts, took, gained.isEmpty() ? "nothing" : "GAINED: " + gained));
    }
}
