package dev.cleave.server;

import dev.cleave.call.FrameRoom;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.metrics.Durations;
import dev.cleave.metrics.MetricValue;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Measures how long the calls of a served interface and of each of its methods take, and how many bytes its replies have. */
final class Paces {

    private final Pace[] ofMethods; // by index
    private final FrameRoom replies;
    private final Durations durations = new Durations();
    private final LongAdder calls = new LongAdder();
    private final LongAdder methodNanos = new LongAdder();
    private volatile long first; // when the first call arrived
    private volatile long last; // when a call ended last

    /** Measures the calls of an interface. */
    Paces(RemoteInterface contract) {
        int most = -1;
        for (RemoteMethod method : contract.methods()) {
            most = Math.max(most, method.index());
        }
        ofMethods = new Pace[most + 1];
        Arrays.setAll(ofMethods, index -> new Pace());
        replies = new FrameRoom(ofMethods.length);
    }

    /** Returns what allocates the buffers of replies. */
    FrameRoom replies() {
        return replies;
    }

    /** Counts a call that arrived, began and has been answered at these times of the node's clock. */
    void ran(long arrived, long begun, long ended) {
        if (last == 0) {
            first = arrived;
        }
        last = ended;
        calls.increment();
        methodNanos.add(ended - begun);
        durations.add(ended - arrived);
    }

    /** Adds what it has measured: seconds of methods, seconds from the first call to the last, and percentiles. */
    void addTo(String service, List<MetricValue> all) {
        add(all, service, MetricValue.counter("cleave.service.calls", "Calls that have run.", calls.sum()));
        add(
                all,
                service,
                MetricValue.counter(
                        "cleave.service.method.seconds", "Time for which methods have run.", methodNanos.sum() / 1e9));
        add(
                all,
                service,
                MetricValue.counter(
                        "cleave.service.span.seconds",
                        "Time from the arrival of the first call to the end of the last.",
                        (last - first) / 1e9));
        for (int perMille : new int[] {500, 990}) {
            MetricValue value = MetricValue.gauge(
                    "cleave.service.seconds",
                    "Time from the arrival of a call to its answer, of the last thousand or two.",
                    Math.max(0, durations.quantile(perMille)) / 1e9);
            add(all, service, value.with("quantile", perMille == 500 ? "0.5" : "0.99"));
        }
    }

    private static void add(List<MetricValue> all, String service, MetricValue value) {
        all.add(value.with("service", service));
    }

    /** Returns the times of a method. */
    Pace of(RemoteMethod method) {
        return ofMethods[method.index()];
    }
}
