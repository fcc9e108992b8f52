package samples.loops;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import samples.auction.House;
import samples.auction.Lot;
import samples.bank.Account;
import samples.bank.Bank;
import samples.chat.Chat;
import samples.compute.Compute;
import samples.compute.Primes;
import samples.depot.Depot;
import samples.depot.Shelf;
import samples.edges.Edge;
import samples.export.Counter;
import samples.factory.Session;
import samples.factory.SessionFactory;
import samples.naming.Clock;
import samples.values.Echo;

/** A loop of a hundred calls of each program; tells the best time of some rounds in microseconds on the error stream. */
public class LoopClient {

    private static final int CALLS = 100;

    private static List<String> chosen = List.of(); // empty: all

    private interface Loop {

        Object run() throws Exception;
    }

    private static long deposits(Account account) throws RemoteException {
        for (int i = 0; i < CALLS; i++) {
            account.deposit(i + 1);
        }
        return account.balance();
    }

    private static List<Integer> primes(Compute engine) throws RemoteException {
        List<List<Integer>> found = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            found.add(engine.executeTask(new Primes(i, i + 10)));
        }
        return found.get(CALLS - 1);
    }

    /** The list could be of a class of this program: the file says that {@code List.size} changes nothing. */
    private static int sizes(Compute engine) throws RemoteException {
        int found = 0;
        for (int i = 0; i < CALLS; i++) {
            found += engine.executeTask(new Primes(i, i + 10)).size();
        }
        return found;
    }

    private static int said(Chat chat) throws RemoteException {
        int heard = 0;
        for (int i = 0; i < CALLS; i++) {
            heard += chat.say("nobody", "text " + i);
        }
        return heard;
    }

    private static List<String> sessions(SessionFactory factory) throws RemoteException {
        List<Session> open = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            open.add(factory.open("user-" + i));
        }
        List<String> users = new ArrayList<>();
        for (Session each : open) {
            users.add(each.get("user"));
        }
        return users.subList(CALLS - 2, CALLS);
    }

    private static long days(Clock clock, Date start) throws RemoteException {
        Date last = start;
        for (int i = 0; i < CALLS; i++) {
            last = clock.next(start, i);
        }
        return last.getTime() / 86_400_000;
    }

    /** Arguments that write themselves, such as a Temperature, are written at their place: their calls do not overlap. */
    private static String echoes(Echo echo) throws RemoteException {
        List<int[]> doubled = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            doubled.add(echo.doubled(new int[] {i, -i}));
        }
        return Arrays.toString(doubled.get(CALLS - 1));
    }

    private static int counted(Counter counter) throws RemoteException {
        counter.reset();
        int sum = 0;
        for (int i = 0; i < CALLS; i++) {
            sum += counter.next();
        }
        return sum;
    }

    private static int sums(Edge edge) throws RemoteException {
        int sum = 0;
        for (int i = 0; i < CALLS; i++) {
            sum += edge.sum(i, 2, 3);
        }
        return sum;
    }

    private static long highest(Lot lot) throws RemoteException {
        long sum = 0;
        for (int i = 0; i < CALLS; i++) {
            sum += lot.highest();
        }
        return sum;
    }

    private static int labels(Shelf shelf) throws RemoteException {
        int letters = 0;
        for (int i = 0; i < CALLS; i++) {
            letters += shelf.label().length();
        }
        return letters;
    }

    private static void time(String name, int rounds, Loop loop) throws Exception {
        if (!chosen.isEmpty() && !chosen.contains(name)) {
            return;
        }
        long best = Long.MAX_VALUE;
        for (int i = 0; i < rounds; i++) {
            long begin = System.nanoTime();
            Object result = loop.run();
            best = Math.min(best, System.nanoTime() - begin);
            if (i == 0) {
                System.out.println(name + " " + result);
            }
        }
        System.err.println("time " + name + " " + best / 1_000);
    }

    public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]));
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        chosen = args.length > 2 ? List.of(args[2].split(",")) : chosen;
        Bank bank = (Bank) registry.lookup("bank");
        Compute engine = (Compute) registry.lookup("Compute");
        Chat chat = (Chat) registry.lookup("chat");
        SessionFactory factory = (SessionFactory) registry.lookup("factory");
        Clock clock = (Clock) registry.lookup("clock");
        Echo echo = (Echo) registry.lookup("echo");
        Counter counter = (Counter) registry.lookup("counter");
        Edge edge = (Edge) registry.lookup("edge");
        House house = (House) registry.lookup("house");
        house.begin();
        Lot vase = house.pick(Lot.class, "vase");
        Shelf shelf = ((Depot) registry.lookup("depot")).shelf("beside");
        time("bank", rounds, () -> deposits(bank.open("loop")));
        time("compute", rounds, () -> primes(engine));
        time("sizes", rounds, () -> sizes(engine));
        time("chat", rounds, () -> said(chat));
        time("factory", rounds, () -> sessions(factory));
        time("naming", rounds, () -> days(clock, new Date(0)));
        time("values", rounds, () -> echoes(echo));
        time("export", rounds, () -> counted(counter));
        time("edges", rounds, () -> sums(edge));
        time("auction", rounds, () -> highest(vase));
        time("depot", rounds, () -> labels(shelf));
    }
}
