package dev.cleave.examples.pipeline;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.netty.NettyTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * A client that is far away from its servers, which are near to each other: runs the programs of {@link Chain} and counts
 * its round trips.
 *
 * <p>Takes the round trip of its link in microseconds. Prints {@code ready}, then obeys the lines of its standard input,
 * each the label of a program. It answers {@code done SECONDS TRIPS RESULT}: the time of the program, its round trips, and the
 * hash code of what it has computed. It ends with its input.
 */
public final class Far {

    private Far() {}

    /** Takes the round trip in microseconds. */
    public static void main(String[] args) throws IOException {
        Duration way = Duration.ofNanos(Long.parseLong(args[0]) * 500);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (SystemTimer timer = SystemTimer.precise("link");
                RoundTrips trips = new RoundTrips(
                        new LinkTransport(NettyTransport.create(), new LinkProfile(way, 0, Duration.ZERO), timer));
                Node node = Node.connect(NodeOptions.DEFAULT
                        .withBindings(Bindings.load(Path.of(System.getProperty(Node.FILE_PROPERTY))))
                        .withTransport(trips))) {
            System.out.println("ready");
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                Chain chain = Chain.of(line);
                Station[] stations = stations(node, chain.placed());
                trips.begin();
                long begin = System.nanoTime();
                Object result = chain.run(stations, 3);
                double seconds = (System.nanoTime() - begin) / 1e9;
                System.out.println(
                        String.format(Locale.ROOT, "done %.6f %d %d", seconds, trips.count(), result.hashCode()));
            }
        }
    }

    private static Station[] stations(Node node, Chain.Placed placed) {
        Station[] stations = new Station[Chain.STATIONS];
        for (int i = 0; i < stations.length; i++) {
            stations[i] = node.lookup(placed.service(i), Station.class);
        }
        return stations;
    }
}
