package dev.cleave.examples.pipeline;

import java.util.Arrays;

/** Programs in which each call needs the result of the one before it. */
public enum Chain implements Line {
    /** Eight calls of one service, the value an int. */
    EIGHT("chain/8", Placed.ONE, Lines::eight),
    /** Four calls. */
    FOUR("chain/4", Placed.ONE, Lines::four),
    /** An int becomes a long on its way. */
    WIDER("chain/8/wider", Placed.ONE, Lines::wider),
    /** The value is in a box. */
    BOXED("chain/8/boxed", Placed.ONE, Lines::boxed),
    /** The value is a string. */
    TEXT("chain/8/text", Placed.ONE, Lines::text),
    /** The value is a record. */
    RECORDS("chain/8/records", Placed.ONE, Lines::records),
    /** The value is a list of records. */
    LISTS("chain/8/lists", Placed.ONE, Lines::lists),
    /** The value is a map. */
    MAPS("chain/8/maps", Placed.ONE, Lines::maps),
    /** The value is an array of 128 KiB. */
    KIB("chain/8/128-kib", Placed.ONE, Lines::kib),
    /** The value is an array of 1 MiB. */
    MIB("chain/8/1-mib", Placed.ONE, Lines::mib),
    /** The value is an array of 64 MiB. */
    LARGE("chain/8/64-mib", Placed.ONE, Lines::large),
    /** Eight services of one server. */
    SERVICES("chain/8/services-of-one", Placed.SERVICES, Lines::services),
    /** Services of eight servers. */
    SERVERS("chain/8/servers", Placed.SERVERS, Lines::servers),
    /** Records through services of eight servers. */
    RECORDS_SERVERS("chain/8/servers-records", Placed.SERVERS, Lines::recordsServers),
    /** All kinds of values, through three servers. */
    MIXED("chain/8/mixed", Placed.SERVERS, Lines::mixed),
    /** A value that may be used while it arrives. */
    LATER("chain/3/later-value", Placed.ONE, Lines::later),
    /** Arrays of 1 MiB through services of eight servers. */
    MIB_SERVERS("chain/8/servers-1-mib", Placed.SERVERS, Lines::mibServers),
    /** References to arrays, which stay at the server. */
    REFERENCES("chain/8/references", Placed.ONE, Lines::references),
    /** References through services of eight servers. */
    REFERENCES_SERVERS("chain/8/servers-references", Placed.SERVERS, Lines::referencesServers),
    /** References through services of eight servers, over the broker. */
    RELAY_REFERENCES("chain/8/relay-references", Placed.RELAY, Lines::referencesServers),
    /** Eight calls over the broker. */
    RELAY("chain/8/relay", Placed.RELAY, Lines::eight),
    /** Arrays of 1 MiB over the broker. */
    RELAY_MIB("chain/8/relay-1-mib", Placed.RELAY, Lines::mib),
    /** Services of eight servers, over the broker. */
    RELAY_SERVERS("chain/8/relay-servers", Placed.RELAY, Lines::servers),
    /** One value goes to three servers, and one takes what they make of it (Fig. 4 of the paper). */
    FAN("fan/3", Placed.SERVERS, Lines::fan),
    /** Sequences that are compared with a database on one server. */
    STAGE("stages/1", Placed.SERVERS, Lines::stage),
    /** With a database on two servers, one behind the other (Fig. 1c of the paper). */
    STAGES_TWO("stages/2", Placed.SERVERS, Lines::twoStages),
    /** With a database on four servers. */
    STAGES_FOUR("stages/4", Placed.SERVERS, Lines::fourStages);

    /** The most stations of a program. */
    static final int STATIONS = 8;

    private final String label;
    private final Placed placed;
    private final Line line;

    /** Where the stations are. */
    public enum Placed {
        /** One service. */
        ONE("service-"),
        /** Eight services of one server. */
        SERVICES("service-"),
        /** One service at each of eight servers. */
        SERVERS("server-"),
        /** One service at each of eight servers, on the route over the broker. */
        RELAY("relay-");

        private final String prefix;

        Placed(String prefix) {
            this.prefix = prefix;
        }

        /** The name of the service of a station. */
        public String service(int station) {
            return prefix + station;
        }
    }

    Chain(String label, Placed placed, Line line) {
        this.label = label;
        this.placed = placed;
        this.line = line;
    }

    @Override
    public Object run(Station[] stations, int begin) {
        return line.run(stations, begin);
    }

    /** Finds a program by the name of its case. */
    static Chain of(String label) {
        return Arrays.stream(values())
                .filter(chain -> chain.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("case: " + label));
    }

    /** The name of the case. */
    public String label() {
        return label;
    }

    @Override
    public String toString() {
        return label;
    }

    /** Where its stations are. */
    public Placed placed() {
        return placed;
    }
}
