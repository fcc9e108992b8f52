package dev.cleave.broker.advice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Splits the time from the first call to the end of the last into four parts that add up; each moment is in one of them. While the client is not blocked
 * the moment is the client's. While it is blocked, the moment belongs to computing if a server runs a call, else to queues if a call
 * waits at a server, else to the network with all that is on the way: connections, encoding, threads.
 *
 * @param client seconds in which no thread of the client was blocked
 * @param network seconds in which the client was blocked, and no call was at a server
 * @param queue seconds in which the client was blocked, calls waited at servers, and none ran
 * @param compute seconds in which the client was blocked and a server ran a call
 */
public record TimeSplit(double client, double network, double queue, double compute) {

    /** A change of a count at a moment. */
    private record Edge(long at, int blocked, int queued, int running) {}

    /** Splits the time of a trace. */
    public static TimeSplit of(Trace trace) {
        List<Edge> edges = new ArrayList<>();
        trace.waited().forEach(wait -> {
            edges.add(new Edge(wait.began(), 1, 0, 0));
            edges.add(new Edge(wait.ended(), -1, 0, 0));
        });
        trace.served().forEach(call -> {
            edges.add(new Edge(call.arrived(), 0, 1, 0));
            edges.add(new Edge(call.began(), 0, -1, 1));
            edges.add(new Edge(call.ended(), 0, 0, -1));
        });
        edges.sort(Comparator.comparingLong(Edge::at));
        long[] parts = new long[4];
        int blocked = 0;
        int queued = 0;
        int running = 0;
        long before = trace.began();
        for (Edge edge : edges) {
            int part = blocked == 0 ? 0 : running > 0 ? 3 : queued > 0 ? 2 : 1;
            parts[part] += edge.at() - before;
            before = edge.at();
            blocked += edge.blocked();
            queued += edge.queued();
            running += edge.running();
        }
        return new TimeSplit(parts[0] / 1e9, parts[1] / 1e9, parts[2] / 1e9, parts[3] / 1e9);
    }

    /** The seconds of all parts. */
    public double seconds() {
        return client + network + queue + compute;
    }

    /** The part of the time in which the client was blocked and no server ran a call, in percent. */
    public double overheadPercent() {
        return seconds() == 0 ? 0 : 100 * (network + queue) / seconds();
    }

    /** The seconds in which the client was blocked. */
    public double await() {
        return network + queue + compute;
    }
}
