package samples.auction;

import java.io.Serializable;
import java.lang.reflect.Method;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

public class AuctionClient {

    private static final int THREADS = 2;
    private static final int REOPENED = 10;

    /** Refuses bids above its limit, with an exception of its own. */
    private static class Guard implements Watcher {

        private final List<String> risen = new ArrayList<>();

        @Override
        public void rises(Lot lot, long cents) throws RemoteException, TooLowException {
            risen.add(lot.name() + " " + lot.self().name() + " " + cents);
            if (cents == 666) {
                throw new TooLowException("not this one", lot, 1, null);
            }
            if (cents == 667) {
                throw new RemoteException("of the guard");
            }
            if (cents == 668) {
                throw new UnsupportedOperationException("of the guard");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]));
        House house = (House) registry.lookup("house");
        house.begin();
        Catalogue catalogue = house.catalogue();
        System.out.println(names(Arrays.asList(catalogue.lots())) + ", " + names(catalogue.things()) + ", "
                + names(catalogue.all()) + ", best " + catalogue.best().name() + ", first "
                + catalogue.entries().getFirst().getKey() + " "
                + catalogue.entries().getFirst().getValue().name());
        System.out.println("prices " + catalogue.prices().get(catalogue.best()) + " "
                + catalogue.prices().get(house.pick(Lot.class, "vase")) + ", same "
                + (catalogue.lots()[1] == catalogue.best()) + " " + catalogue.lots()[1].equals(catalogue.best())
                + ", types " + catalogue.lots().getClass().getSimpleName() + " "
                + (catalogue.best() instanceof ReservedLot) + (catalogue.best() instanceof Watched)
                + (catalogue.lots()[0] instanceof Watched) + ", interfaces "
                + interfaces(catalogue.best()));

        ReservedLot clock = house.pick(ReservedLot.class, "clock");
        Thing thing = clock;
        Watched watched = clock;
        System.out.println("one " + thing.name() + watched.name() + clock.name() + ", self "
                + thing.self().equals(clock) + " " + clock.self().self().equals(clock) + ", reached "
                + clock.isReached());
        Method inherited = Thing.class.getMethod("name");
        System.out.println("by reflection " + inherited.invoke(clock) + " "
                + ReservedLot.class.getMethod("isReached").invoke(clock));
        try {
            house.pick(ReservedLot.class, "vase");
        } catch (ClassCastException e) {
            System.out.println("no reserve: " + e.getClass().getName());
        }

        Guard guard = new Guard();
        clock.watch((Watcher) UnicastRemoteObject.exportObject(guard, 0));
        clock.bid("ann", 600);
        for (long cents : new long[] {10, 666, 667, 668, 669, 1_200}) {
            try {
                clock.bid("ben", cents);
                System.out.println("bid " + cents + ", reached " + clock.isReached());
            } catch (TooLowException e) {
                System.out.println(e.getMessage() + ", " + e.missing() + ", " + e.note() + ", "
                        + (e.lot().equals(clock)) + " " + e.lot().highest() + ", " + e.getCause() + ", "
                        + Arrays.toString(e.getSuppressed()));
            } catch (RemoteException | UnsupportedOperationException e) {
                System.out.println(chain(e));
            }
        }
        System.out.println(guard.risen + ", " + clock.bidders());
        UnicastRemoteObject.unexportObject(guard, true);
        try {
            clock.bid("cy", 9_000);
        } catch (RemoteException e) {
            System.out.println(chain(e) + ", " + clock.highest());
        }

        Lot vase = house.pick(Lot.class, "vase");
        LotImpl own = new LotImpl("own", 7);
        UnicastRemoteObject.exportObject(own, 0);
        System.out.println(house.seen(List.of(vase, own, "text", clock)));
        Map<String, Thing> names = new TreeMap<>();
        names.put("chair", null);
        names.put("own", own);
        names.put("vase", vase);
        Map<String, Thing> filled = house.filled(names);
        System.out.println(filled.keySet() + " " + names(filled.values()) + ", " + (names.get("chair") == null) + ", "
                + filled.get("vase").equals(vase) + " " + (filled.get("own") == own) + " "
                + (filled.get("own") instanceof LotImpl) + " " + ((Lot) filled.get("own")).highest());
        UnicastRemoteObject.unexportObject(own, true);
        List<Lot> sorted = new ArrayList<>(Arrays.asList(catalogue.lots()));
        sorted.sort(Lot.BY_NAME);
        Collections.swap(sorted, 0, 1);
        System.out.println(
                names(sorted) + ", " + sorted.indexOf(vase) + " " + new HashMap<>(catalogue.prices()).get(vase));
        System.out.println(house.apply("vase", (Function<Lot, String> & Serializable) lot -> {
            return (lot instanceof LotImpl) + " " + lot.getClass().getSimpleName();
        }));
        System.out.println("lots " + (house.apply("chair", (Function<Lot, Lot> & Serializable) lot -> lot)).name());

        System.out.println(whileReopened(registry, house));
    }

    /** Looks up and calls while the server binds other objects under the name, and takes those before them back. */
    private static String whileReopened(Registry registry, House house) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        AtomicInteger end = new AtomicInteger();
        List<Future<String>> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            callers.add(threads.submit(() -> {
                long last = 0;
                String strange = "";
                while (true) {
                    if (last != 0 && last == end.get()) {
                        return strange + "seen the last";
                    }
                    try {
                        long now = ((Lot) registry.lookup("open")).highest();
                        strange += now < last ? "back from " + last + " to " + now + " " : "";
                        last = now;
                    } catch (NoSuchObjectException e) { // taken back just now
                        strange += e.getMessage().equals("no such object in table") ? "" : e.getMessage() + " ";
                    } catch (RemoteException e) {
                        strange += chain(e) + " ";
                    }
                }
            }));
        }
        int opened = 0;
        for (int i = 0; i < REOPENED; i++) {
            opened = house.reopen("open");
        }
        end.set(opened);
        List<String> seen = new ArrayList<>();
        for (Future<String> each : callers) {
            seen.add(each.get());
        }
        threads.shutdown();
        return String.valueOf(seen);
    }

    private static String names(Iterable<? extends Thing> things) throws RemoteException {
        StringBuilder names = new StringBuilder();
        for (Thing each : things) {
            names.append(names.length() == 0 ? "" : " ").append(each.name());
        }
        return names.toString();
    }

    private static List<String> interfaces(Remote stub) {
        return Arrays.stream(new Class<?>[] {Thing.class, Lot.class, ReservedLot.class, Watched.class, Watcher.class})
                .filter(type -> type.isInstance(stub))
                .map(Class::getSimpleName)
                .toList();
    }

    private static String chain(Throwable thrown) {
        StringBuilder chain = new StringBuilder();
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            chain.append(chain.length() == 0 ? "" : " <- ").append(at.getClass().getSimpleName());
            if (!(at instanceof RemoteException)) {
                chain.append(": ").append(at.getMessage());
            }
        }
        return chain.toString();
    }
}
