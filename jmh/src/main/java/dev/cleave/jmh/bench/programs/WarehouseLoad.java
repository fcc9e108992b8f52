package dev.cleave.jmh.bench.programs;

/** Extract, transform, load: records are read, completed and written in their order. */
final class WarehouseLoad {

    private WarehouseLoad() {}

    static String load(Source source, Places places, Warehouse warehouse) {
        warehouse.clear();
        int written = 0;
        int count = source.count();
        for (int number = 0; number < count; number++) {
            String[] fields = source.row(number).split(";");
            double amount = Double.parseDouble(fields[2]);
            if (amount <= 0) {
                continue;
            }
            String country = places.country(fields[1]);
            warehouse.write(fields[0] + "," + country + "," + amount);
            written++;
        }
        return written + " of " + count + " written: " + warehouse.digest() + "\n";
    }
}
