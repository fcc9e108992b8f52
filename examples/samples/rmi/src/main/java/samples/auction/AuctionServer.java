package samples.auction;

import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

public class AuctionServer implements House {

    private static final Map<String, LotImpl> LOTS = new LinkedHashMap<>();

    private static AuctionServer house;
    private static LotImpl open;

    private final int port;
    private int opened;

    private AuctionServer(int port) {
        this.port = port;
    }

    @Override
    public void begin() throws RemoteException {
        for (LotImpl each : LOTS.values()) {
            UnicastRemoteObject.unexportObject(each, true);
        }
        LOTS.put("vase", new LotImpl("vase", 100));
        LOTS.put("clock", new ReservedLotImpl("clock", 200, 1_000));
        LOTS.put("chair", new LotImpl("chair", 50));
        for (LotImpl each : LOTS.values()) {
            UnicastRemoteObject.exportObject(each, 0);
        }
    }

    @Override
    public Catalogue catalogue() {
        List<LotImpl> lots = List.copyOf(LOTS.values());
        Map<Lot, Long> prices = new HashMap<>();
        lots.forEach(lot -> prices.put(lot, lot.highest()));
        ArrayDeque<Map.Entry<String, Lot>> entries = new ArrayDeque<>();
        lots.forEach(lot -> entries.addFirst(new SimpleEntry<>(lot.name(), lot)));
        return new Catalogue(
                "spring",
                lots.get(1),
                lots.toArray(new Lot[0]),
                lots,
                prices,
                new LinkedHashSet<>(List.of(lots.get(1), lots.get(0))),
                entries);
    }

    @Override
    public <T extends Thing> T pick(Class<T> type, String name) {
        return type.cast(LOTS.get(name));
    }

    @Override
    public String seen(Collection<?> given) throws RemoteException {
        StringBuilder seen = new StringBuilder();
        for (Object each : given) {
            seen.append(each instanceof Lot lot ? lot.name() + lot.highest() + (lot instanceof LotImpl) : each)
                    .append(' ');
        }
        return seen.toString().strip();
    }

    @Override
    public Map<String, Thing> filled(Map<String, Thing> names) {
        names.replaceAll((name, thing) -> thing == null ? LOTS.get(name) : thing);
        return names;
    }

    @Override
    public <R> R apply(String name, Function<Lot, R> function) {
        return function.apply(LOTS.get(name));
    }

    @Override
    public synchronized int reopen(String name) throws RemoteException {
        LotImpl before = open;
        open = new LotImpl(name, ++opened);
        UnicastRemoteObject.exportObject(open, 0);
        LocateRegistry.getRegistry(port).rebind(name, open);
        if (before != null) {
            UnicastRemoteObject.unexportObject(before, true);
        }
        return opened;
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        house = new AuctionServer(port);
        house.begin();
        Registry registry = LocateRegistry.getRegistry(port);
        registry.rebind("house", UnicastRemoteObject.exportObject(house, 0));
        house.reopen("open");
        Remote stub = registry.lookup("open");
        System.out.println(LOTS.values().stream().map(LotImpl::name).collect(Collectors.joining(" ")) + " "
                + ((Lot) stub).highest());
        house.reopen("open");
        try {
            ((Lot) stub).highest();
        } catch (NoSuchObjectException e) {
            System.out.println(e.getMessage());
        }
    }
}
