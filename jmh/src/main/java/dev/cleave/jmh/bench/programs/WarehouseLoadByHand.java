package dev.cleave.jmh.bench.programs;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.jmh.bench.programs.Threads.Task;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link WarehouseLoad} by hand: calls of one group keep their order, however many are on their way. */
final class WarehouseLoadByHand {

    private WarehouseLoadByHand() {}

    /**
     * A record whose country is on its way.
     *
     * @param name the name
     * @param country the country
     * @param amount the amount
     */
    private record Row(String name, Pending<String> country, double amount) {}

    static String staged(Source source, Places places, Warehouse warehouse) {
        Pending<Void> cleared = Cleave.async(warehouse::clear);
        int count = source.count();
        List<Pending<String>> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            records.add(Cleave.async(() -> source.row(number)));
        }
        List<Row> rows = new ArrayList<>();
        for (Pending<String> each : records) {
            String[] fields = each.await().split(";");
            double amount = Double.parseDouble(fields[2]);
            if (amount > 0) {
                String city = fields[1];
                rows.add(new Row(fields[0], Cleave.async(() -> places.country(city)), amount));
            }
        }
        cleared.await();
        List<Pending<Void>> writes = new ArrayList<>();
        for (Row row : rows) {
            String line = row.name() + "," + row.country().await() + "," + row.amount();
            writes.add(Cleave.async(() -> warehouse.write(line)));
        }
        Pending<Long> digest = Cleave.async(warehouse::digest);
        writes.forEach(Pending::await);
        return rows.size() + " of " + count + " written: " + digest.await() + "\n";
    }

    /** The order of the writes is that of one thread, which sends them ahead as in {@link #staged}. */
    static String threaded(Threads threads, Source source, Places places, Warehouse warehouse) {
        Task<@Nullable Void> cleared = threads.start(() -> {
            warehouse.clear();
            return null;
        });
        int count = source.count();
        List<Task<String>> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            lines.add(threads.start(() -> line(source, places, number)));
        }
        cleared.join();
        List<Pending<Void>> writes = new ArrayList<>();
        for (Task<String> each : lines) {
            String line = each.join();
            if (!line.isEmpty()) {
                writes.add(Cleave.async(() -> warehouse.write(line)));
            }
        }
        Pending<Long> digest = Cleave.async(warehouse::digest);
        writes.forEach(Pending::await);
        return writes.size() + " of " + count + " written: " + digest.await() + "\n";
    }

    private static String line(Source source, Places places, int number) {
        String[] fields = source.row(number).split(";");
        double amount = Double.parseDouble(fields[2]);
        return amount > 0 ? fields[0] + "," + places.country(fields[1]) + "," + amount : "";
    }
}
