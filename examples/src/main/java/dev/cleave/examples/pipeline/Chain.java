package dev.cleave.examples.pipeline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Programs in which each call needs the result of the one before it.
 *
 * @param label the name of the case
 * @param placed where its stations are
 * @param kind the values that go from call to call; null for a mixture
 * @param line the program
 */
public record Chain(String label, Placed placed, @Nullable Kind kind, Line line) implements Line {

    /** The most stations of a program. */
    static final int STATIONS = 8;

    private static final List<Chain> ALL = make();

    /** The values that go from call to call. */
    public enum Kind {
        /** An int. */
        INT("", Lines::count, Lines::countAround),
        /** An int that becomes a long on its way. */
        WIDER("wider", Lines::wider, Lines::widerAround),
        /** A number in a box. */
        BOXED("boxed", Lines::boxed, Lines::boxedAround),
        /** A string. */
        TEXT("text", Lines::text, Lines::textAround),
        /** A record. */
        RECORDS("records", Lines::records, Lines::recordsAround),
        /** A list of records. */
        LISTS("lists", Lines::lists, Lines::listsAround),
        /** A map. */
        MAPS("maps", Lines::maps, Lines::mapsAround),
        /** An array of 128 KiB. */
        KIB("128-kib", Lines::kib, Lines::kibAround),
        /** An array of 1 MiB. */
        MIB("1-mib", Lines::mib, Lines::mibAround),
        /** An array of 64 MiB. */
        LARGE("64-mib", Lines::large, Lines::largeAround),
        /** A reference to an array, which stays at the server. */
        REFERENCES("references", Lines::references, Lines::referencesAround),
        /** An array that may be used while it arrives. */
        LATER("later-value", Lines::later, Lines::laterAround),
        /** An int, by calls that keep their order. */
        CHAINED("chained", Lines::chained, Lines::chainedAround),
        /** Nothing: calls that keep their order. */
        VOID("void", Lines::marks, Lines::marksAround);

        private final String label;
        private final Line ofOne;
        private final Line around;

        Kind(String label, Line ofOne, Line around) {
            this.label = label;
            this.ofOne = ofOne;
            this.around = around;
        }

        /** The name of a case. */
        private String in(String place) {
            return "chain/8" + place + (label.isEmpty() ? "" : (place.isEmpty() ? "/" : "-") + label);
        }
    }

    /** Where the stations are. */
    public enum Placed {
        /** One service. */
        ONE("service-", "", false),
        /** Eight services of one server. */
        SERVICES("service-", "/services-of-one", false),
        /** One service at each of eight servers. */
        SERVERS("server-", "/servers", false),
        /** One service, on the route over the broker. */
        RELAY("relay-", "/relay", true),
        /** Two services of one server, on the route over the broker. */
        RELAY_SERVICES("relay-", "/relay-services", true),
        /** One service at each of eight servers, on the route over the broker. */
        RELAY_SERVERS("relay-", "/relay-servers", true);

        private final String prefix;
        private final String label;
        private final boolean isRelayed;

        Placed(String prefix, String label, boolean isRelayed) {
            this.prefix = prefix;
            this.label = label;
            this.isRelayed = isRelayed;
        }

        /** The name of the service of a station. */
        public String service(int station) {
            if (this == RELAY_SERVICES) {
                return prefix + (station % 2 == 0 ? "0" : "beside");
            }
            return prefix + station;
        }

        /** Whether its calls go over the broker. */
        public boolean isRelayed() {
            return isRelayed;
        }
    }

    private static List<Chain> make() {
        List<Chain> all = new ArrayList<>();
        for (Placed placed : Placed.values()) {
            boolean isOne = placed == Placed.ONE || placed == Placed.RELAY;
            for (Kind kind : Kind.values()) {
                all.add(new Chain(kind.in(placed.label), placed, kind, isOne ? kind.ofOne : kind.around));
            }
        }
        all.add(new Chain("chain/4", Placed.ONE, Kind.INT, Lines::four));
        all.add(new Chain("chain/8/mixed", Placed.SERVERS, null, Lines::mixed));
        all.add(new Chain("fan/3", Placed.SERVERS, null, Lines::fan)); // Fig. 4 of the paper
        all.add(new Chain(
                "stages/1", Placed.SERVERS, null, Lines::stage)); // Fig. 1c: sequences and a database on K servers
        all.add(new Chain("stages/2", Placed.SERVERS, null, Lines::twoStages));
        all.add(new Chain("stages/4", Placed.SERVERS, null, Lines::fourStages));
        return List.copyOf(all);
    }

    /** All programs. */
    public static List<Chain> all() {
        return ALL;
    }

    /** Finds a program by the name of its case. */
    static Chain of(String label) {
        return ALL.stream()
                .filter(chain -> chain.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("case: " + label));
    }

    @Override
    public Object run(Station[] stations, int begin) {
        return line.run(stations, begin);
    }

    /** Whether its values take so long that it is run in one round alone, and not in tests. */
    public boolean isLarge() {
        return kind == Kind.LARGE;
    }

    /** Whether its round trips alone count: its time is that of a case with the same values. */
    public boolean isCounted() {
        return isLarge() || kind != null && kind != Kind.INT && kind != Kind.RECORDS && placed != Placed.ONE;
    }

    @Override
    public String toString() {
        return label;
    }
}
