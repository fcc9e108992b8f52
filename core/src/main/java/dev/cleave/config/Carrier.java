package dev.cleave.config;

import java.util.List;

/** The transport of the calls of a method to a replica that is dialled: one of five, or a class of the application. */
public final class Carrier {

    /** A unix domain socket where the replica is on the same host, else TCP. */
    public static final Carrier AUTO = new Carrier("auto", 0);

    /** TCP, also on the same host. */
    public static final Carrier TCP = new Carrier("tcp", 1);

    /** A unix domain socket; a replica on another host cannot be reached. */
    public static final Carrier UNIX = new Carrier("unix", 2);

    /** Datagrams for frames that fit into one, and TCP for others. */
    public static final Carrier UDP = new Carrier("udp", 3);

    /** Memory; a replica of another process cannot be reached. */
    public static final Carrier LOCAL = new Carrier("local", 4);

    /** The built-in transports, in the order of their {@linkplain #place places}. */
    public static final List<Carrier> BUILT_IN = List.of(AUTO, TCP, UNIX, UDP, LOCAL);

    private static final int OWN = -1;

    private final String word;
    private final int place;

    private Carrier(String word, int place) {
        this.word = word;
        this.place = place;
    }

    /**
     * Reads the word of a file: that of a built-in one, or the name of a class in a package.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static Carrier of(String text) {
        return BUILT_IN.stream()
                .filter(carrier -> carrier.word.equals(text))
                .findFirst()
                .orElseGet(() -> {
                    List<String> words = BUILT_IN.stream().map(Carrier::word).toList();
                    if (text.indexOf('.') < 0) {
                        throw new IllegalArgumentException(text + ": unknown value " + Nearest.hint(text, words));
                    }
                    return new Carrier(Values.className(text), OWN);
                });
    }

    /** The word of the file: of a transport of the application the name of its class. */
    public String word() {
        return word;
    }

    /** Whether it is a class of the application. */
    public boolean isOwn() {
        return place == OWN;
    }

    /** The place among {@link #BUILT_IN}; negative for a class of the application. */
    public int place() {
        return place;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Carrier that && word.equals(that.word);
    }

    @Override
    public int hashCode() {
        return word.hashCode();
    }

    @Override
    public String toString() {
        return word;
    }
}
