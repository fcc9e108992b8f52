package samples.values;

import java.math.BigDecimal;
import java.net.URI;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

public class EchoClient {

    /** A value of a class that only the client uses. */
    private record Pair(String first, int[] second) implements java.io.Serializable {}

    public static void main(String[] args) throws Exception {
        Echo echo = (Echo) LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]))
                .lookup("echo");
        Object[] values = {
            null,
            "text",
            7,
            8L,
            'c',
            2.5,
            true,
            new BigDecimal("1.50"),
            LocalDate.of(2026, 1, 2),
            new Timestamp(1234),
            UUID.nameUUIDFromBytes(new byte[] {1}),
            Locale.CANADA_FRENCH,
            URI.create("http://localhost/x"),
            TimeUnit.DAYS,
            new Temperature(21.5),
            new Point(3, 4),
            List.of(1, 2, 3),
            Arrays.asList("a", null),
            new LinkedList<>(List.of("x")),
            Collections.unmodifiableMap(new HashMap<>(Map.of("k", 1))),
            Collections.emptyList(),
            new EnumMap<>(Map.of(TimeUnit.DAYS, 1)),
            new ConcurrentHashMap<>(Map.of("k", "v")),
            BitSet.valueOf(new long[] {5}),
            Collections.synchronizedList(new ArrayList<>(List.of("s"))),
            new java.io.File("a.txt")
        };
        for (Object each : values) {
            Object back = echo.echo(each);
            System.out.println(each + " -> " + back
                    + (back == null ? "" : " " + back.getClass().getName()));
        }
        Properties properties = new Properties();
        properties.setProperty("key", "value");
        System.out.println(echo.echo(properties));
        System.out.println("level " + (echo.echo(Level.LOW) == Level.LOW));
        Pair pair = (Pair) echo.echo(new Pair("p", new int[] {1, 2}));
        System.out.println("pair " + pair.first() + " " + Arrays.toString(pair.second()));
        System.out.println(Arrays.toString((Object[]) echo.echo(new String[] {"b", "c"})));

        Node ring = new Node("first");
        ring.next = new Node("second");
        ring.next.next = ring;
        Node back = (Node) echo.echo(ring);
        System.out.println("ring " + (back.next.next == back) + " " + back.next.name);
        Temperature one = new Temperature(1);
        System.out.println("same " + echo.same(one, one, List.of(one)));
        System.out.println("not same " + echo.same(one, new Temperature(1), List.of(one)));
        int[] array = {1, 2};
        System.out.println("same array " + echo.same(array, array, List.of(array)));
        System.out.println(Arrays.toString(echo.doubled(array)) + " of " + Arrays.toString(array));
        int[] large = new int[100_000];
        Arrays.fill(large, 3);
        System.out.println(
                "large " + Arrays.stream(echo.doubled(large)).asLongStream().sum());
        List<String> many = new ArrayList<>(Collections.nCopies(20_000, "entry"));
        for (int i = 0; i < 20_000; i += 2) {
            many.set(i, "entry " + i);
        }
        System.out.println("many " + many.equals(echo.echo(many)));
        System.out.println(echo.grouped(List.of(new Temperature(-3), new Temperature(4.25))));
        System.out.println(echo.mixed((byte) 1, (short) 2, 'c', 3, 4L, 0.5f, 0.25, true, "four"));

        for (String how : List.of("declared", "own", "jdk", "remote", "error", "none")) {
            try {
                echo.fail(how);
                System.out.println(how + ": no exception");
            } catch (Failure e) {
                System.out.println(e.getMessage() + " " + e.details() + ", " + e.getCause());
            } catch (RemoteException e) {
                System.out.println(e.getClass().getName() + ": " + rest(e.getCause()));
            } catch (RuntimeException e) {
                System.out.println(rest(e));
            }
        }
        try {
            echo.echo(new IdentityHashMap<>(Map.of("k", new Object())));
        } catch (RemoteException e) {
            System.out.println(e.getClass().getName() + ": " + e.getCause());
        }
        try {
            echo.echo(new Object());
        } catch (RemoteException e) {
            System.out.println(e.getClass().getName() + ": " + e.getCause());
        }
        System.out.println("goes on " + echo.echo("on"));
    }

    private static String rest(Throwable thrown) {
        return thrown.getClass().getName() + ": " + thrown.getMessage();
    }
}
