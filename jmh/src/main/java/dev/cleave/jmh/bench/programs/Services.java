package dev.cleave.jmh.bench.programs;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** All services that the programs call; each is bound by the name of its component. */
record Services(
        Shop shop,
        Tax tax,
        Folders folders,
        Catalogue catalogue,
        Orders orders,
        Customers customers,
        Accounts accounts,
        Billing billing,
        Messages messages,
        Press press,
        Web web,
        Supplier supplier,
        Ledger ledger,
        Bank bank,
        Staff staff,
        Compare compare,
        Source source,
        Places places,
        Warehouse warehouse,
        Distances distances,
        Trade trade) {

    /** Finds a service. */
    @FunctionalInterface
    interface Lookup {

        /** The service with a name. */
        Object find(String name, Class<?> type);
    }

    /** The services of another process. */
    static Services of(Lookup lookup) {
        RecordComponent[] components = Services.class.getRecordComponents();
        Object[] found = Arrays.stream(components)
                .map(each -> lookup.find(each.getName(), each.getType()))
                .toArray();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<Services> constructor = Services.class.getDeclaredConstructor(types);
            return constructor.newInstance(found);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns each service by its name, with calls that take a number of microseconds. */
    Map<String, Object> taking(int micros) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (RecordComponent each : Services.class.getRecordComponents()) {
            try {
                Object service = each.getAccessor().invoke(this);
                all.put(each.getName(), ServiceTime.of(micros, each.getType(), service));
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException(e);
            }
        }
        return all;
    }
}
