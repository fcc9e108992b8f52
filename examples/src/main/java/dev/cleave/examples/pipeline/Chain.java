package dev.cleave.examples.pipeline;

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
    /** One value goes to three servers, and one takes what they make of it (Fig. 4 of the paper). */
    FAN("fan/3", Placed.SERVERS, Lines::fan);

    private final String label;
    private final Placed placed;
    private final Line line;

    /** Where the stations are. */
    public enum Placed {
        /** One service. */
        ONE,
        /** Eight services of one server. */
        SERVICES,
        /** One service at each of eight servers. */
        SERVERS
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
