package dev.cleave.jmh.bench.calls;

import dev.cleave.jmh.bench.contender.Values;
import dev.cleave.jmh.bench.talk.Metric;
import java.util.List;
import java.util.Locale;

/** The kinds of calls that are measured. */
public enum CallShape {
    /** Calls without argument and result, one after the other. */
    SYNC_NULL(Kind.LONE, turn -> LoneCalls.percentiles(turn, i -> turn.caller().nothing())),
    /** Echoes of eight bytes, one after the other. */
    SYNC_ECHO(Kind.LONE, turn -> LoneCalls.percentiles(turn, i -> Checks.echo(turn.caller(), i))),
    /** Echoes of 1 KiB, one after the other. */
    SYNC_1_KIB(Kind.LONE, turn -> {
        byte[] value = kibibyte();
        return LoneCalls.percentiles(turn, i -> Checks.echo(turn.caller(), value));
    }),
    /** Echoes of eight bytes by two threads. */
    CALLERS_2(Kind.RATE, turn -> Rates.callers(turn, 2)),
    /** Echoes of eight bytes by eight threads. */
    CALLERS_8(Kind.RATE, turn -> Rates.callers(turn, 8)),
    /** Echoes of eight bytes by 64 threads. */
    CALLERS_64(Kind.RATE, turn -> Rates.callers(turn, CallTurn.MOST_CALLERS)),
    /** Echoes of eight bytes by one thread, 64 in flight. */
    WINDOW_64(Kind.RATE, turn -> Rates.windows(turn, 64, count -> Checks.echoes(turn.caller(), count, 64))),
    /** Echoes of eight bytes by one thread, 256 in flight. */
    WINDOW_256(Kind.RATE, turn -> Rates.windows(turn, 256, count -> Checks.echoes(turn.caller(), count, 256))),
    /** Echoes of 1 KiB by one thread, 64 in flight. */
    WINDOW_64_1_KIB(Kind.RATE, turn -> {
        byte[] value = kibibyte();
        return Rates.windows(turn, 64, count -> Checks.echoes(turn.caller(), value, count, 64));
    }),
    /** Calls with an array of doubles of 16 KiB, one after the other. */
    ARGUMENT_16_KIB(Kind.BULK, turn -> argument(turn, 16)),
    /** Calls with an array of doubles of 64 KiB, one after the other. */
    ARGUMENT_64_KIB(Kind.BULK, turn -> argument(turn, 64)),
    /** Calls with an array of doubles of 256 KiB, one after the other. */
    ARGUMENT_256_KIB(Kind.BULK, turn -> argument(turn, 256)),
    /** Calls with an array of doubles of 1 MiB, one after the other. */
    ARGUMENT_1_MIB(Kind.BULK, turn -> argument(turn, CallTurn.MIB)),
    /** Calls with an array of doubles of 8 MiB, one after the other. */
    ARGUMENT_8_MIB(Kind.BULK, turn -> argument(turn, 8 * CallTurn.MIB)),
    /** Calls with an array of doubles of 64 MiB, one after the other. */
    ARGUMENT_64_MIB(Kind.BULK, turn -> argument(turn, 64 * CallTurn.MIB)),
    /** Calls that return an array of doubles of 16 KiB, one after the other. */
    RESULT_16_KIB(Kind.BULK, turn -> result(turn, 16)),
    /** Calls that return an array of doubles of 64 KiB, one after the other. */
    RESULT_64_KIB(Kind.BULK, turn -> result(turn, 64)),
    /** Calls that return an array of doubles of 256 KiB, one after the other. */
    RESULT_256_KIB(Kind.BULK, turn -> result(turn, 256)),
    /** Calls that return an array of doubles of 1 MiB, one after the other. */
    RESULT_1_MIB(Kind.BULK, turn -> result(turn, CallTurn.MIB)),
    /** Calls that return an array of doubles of 8 MiB, one after the other. */
    RESULT_8_MIB(Kind.BULK, turn -> result(turn, 8 * CallTurn.MIB)),
    /** Calls that return an array of doubles of 64 MiB, one after the other. */
    RESULT_64_MIB(Kind.BULK, turn -> result(turn, 64 * CallTurn.MIB)),
    /** Echoes of 16 KiB in an array of bytes, one after the other. */
    ECHO_16_KIB(Kind.BULK, turn -> echo(turn, 16)),
    /** Echoes of 64 KiB in an array of bytes, one after the other. */
    ECHO_64_KIB(Kind.BULK, turn -> echo(turn, 64)),
    /** Echoes of 256 KiB in an array of bytes, one after the other. */
    ECHO_256_KIB(Kind.BULK, turn -> echo(turn, 256)),
    /** Echoes of 1 MiB in an array of bytes, one after the other. */
    ECHO_1_MIB(Kind.BULK, turn -> echo(turn, CallTurn.MIB)),
    /** Echoes of 8 MiB in an array of bytes, one after the other. */
    ECHO_8_MIB(Kind.BULK, turn -> echo(turn, 8 * CallTurn.MIB)),
    /** Echoes of eight bytes, one after the other, alone and while another thread passes arrays of 64 MiB. */
    MIXED(Kind.MIXED, turn -> LoneCalls.besideBulk(turn, Values.filled(turn.doubles(64 * CallTurn.MIB))));

    private final Kind kind;
    private final Measured measured;

    CallShape(Kind kind, Measured measured) {
        this.kind = kind;
        this.measured = measured;
    }

    /** Its name in tables and records. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The metrics of its figures. */
    public List<Metric> metrics() {
        return kind.metrics;
    }

    double[] figures(CallTurn turn) throws Exception {
        return measured.figures(turn);
    }

    private static double[] argument(CallTurn turn, int kibibytes) throws Exception {
        double[] values = Values.filled(turn.doubles(kibibytes));
        return Rates.bulk(turn, turn.bytes(kibibytes), () -> Checks.ends(turn.caller(), values));
    }

    private static double[] result(CallTurn turn, int kibibytes) throws Exception {
        int length = turn.doubles(kibibytes);
        return Rates.bulk(turn, turn.bytes(kibibytes), () -> Checks.doubles(turn.caller(), length));
    }

    private static double[] echo(CallTurn turn, int kibibytes) throws Exception {
        byte[] value = marked(turn.bytes(kibibytes));
        return Rates.bulk(turn, value.length, () -> Checks.echo(turn.caller(), value));
    }

    private static byte[] kibibyte() {
        return marked(1 << 10);
    }

    private static byte[] marked(int bytes) {
        byte[] value = new byte[bytes];
        value[0] = 1;
        value[value.length - 1] = 2;
        return value;
    }

    private enum Kind {
        LONE(new Metric("p50", "us"), new Metric("p99", "us")),
        RATE(new Metric("rate", "calls/s")),
        BULK(new Metric("rate", "MiB/s")),
        MIXED(new Metric("p99-alone", "us"), new Metric("p99-during", "us"));

        private final List<Metric> metrics;

        Kind(Metric... metrics) {
            this.metrics = List.of(metrics);
        }
    }

    private interface Measured {

        double[] figures(CallTurn turn) throws Exception;
    }
}
