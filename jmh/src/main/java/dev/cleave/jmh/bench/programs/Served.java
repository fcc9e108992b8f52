package dev.cleave.jmh.bench.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The services of the programs: each result is a function of the arguments, except for those of the warehouse. */
final class Served {

    private Served() {}

    /** All services, as objects of this process. */
    static Services services() {
        return new Services(
                new InventedShop(),
                region -> 0.05 + region.length() / 100.0,
                new InventedFolders(),
                new InventedCatalogue(),
                new InventedOrders(),
                number -> new Customers.Customer("customer " + number, region(number)),
                new InventedAccounts(),
                new InventedBilling(),
                new InventedMessages(),
                new InventedPress(),
                Served::links,
                Served::quote,
                number -> new Ledger.Payment(number * 1.5 + 1, "C" + number * 7 % 30),
                currency -> 0.5 + Math.floorMod(currency.hashCode(), 40) / 10.0,
                new InventedStaff(),
                Served::score,
                new InventedSource(),
                city -> "country of " + city,
                new MemoryWarehouse(),
                Served::distance,
                new InventedTrade());
    }

    private static String region(int number) {
        return switch (number % 4) {
            case 0 -> "north";
            case 1 -> "east";
            case 2 -> "south";
            default -> "middle west";
        };
    }

    private static int[] links(int page) {
        int pages = 140;
        return new int[] {(page * 3 + 1) % pages, (page * 3 + 2) % pages, (page * 5 + 7) % pages};
    }

    private static double quote(int article, int attempt) throws BusyException {
        if (article % 7 == 0 && attempt == 1 || article % 21 == 0 && attempt == 2) {
            throw new BusyException("busy: article " + article + ", attempt " + attempt);
        }
        return article * 1.25 + 3;
    }

    private static int score(String left, String right) {
        int same = 0;
        for (int i = 0; i < Math.min(left.length(), right.length()); i++) {
            same += left.charAt(i) == right.charAt(i) ? 1 : 0;
        }
        return same;
    }

    private static double distance(double[] left, double[] right) {
        double sum = 0;
        for (int d = 0; d < left.length; d++) {
            sum += (left[d] - right[d]) * (left[d] - right[d]);
        }
        return Math.sqrt(sum);
    }

    private static final class InventedTrade implements Trade {

        private static final int PURCHASES = 4;
        private static final int ITEMS = 5;

        @Override
        public Buyer buyer(int number) {
            if (number % 9 == 5) {
                throw new IllegalArgumentException("no buyer " + number);
            }
            List<Long> purchases = LongStream.range(0, PURCHASES)
                    .mapToObj(i -> number * 10L + i)
                    .toList();
            return new Buyer("buyer " + number, purchases);
        }

        @Override
        public Purchase purchase(long number) {
            List<Item> items = new ArrayList<>();
            for (int i = 0; i < ITEMS; i++) {
                items.add(new Item("article " + (number * 3 + i) % 70, i + 1));
            }
            return new Purchase(number, items);
        }

        @Override
        public double cost(String article) {
            return article.length() + Math.floorMod(article.hashCode(), 50) / 4.0;
        }
    }

    private static final class InventedShop implements Shop {

        private static final int ORDERS = 5;
        private static final int LINES = 6;

        @Override
        public String name(int customer) {
            return "customer " + customer;
        }

        @Override
        public String region(int customer) {
            return Served.region(customer);
        }

        @Override
        public long[] orders(int customer) {
            return LongStream.range(0, ORDERS).map(i -> customer * 100L + i).toArray();
        }

        @Override
        public int[] lines(long order) {
            return IntStream.range(0, LINES)
                    .map(i -> (int) (order * 7 + i * 13L) % 500)
                    .toArray();
        }

        @Override
        public double price(int sku) {
            return sku % 11 == 0 ? -1 : sku * 37 % 1000 / 10.0;
        }
    }

    private static final class InventedFolders implements Folders {

        private static final int LEVELS = 5;

        @Override
        public String[] children(String path) {
            long depth = path.chars().filter(c -> c == '/').count();
            if (depth == LEVELS) {
                return new String[0];
            }
            List<String> names = path.endsWith("c") ? List.of("a", "b") : List.of("a", "b", "c");
            return names.stream().map(name -> path + "/" + name).toArray(String[]::new);
        }

        @Override
        public long size(String path) {
            return Math.floorMod(path.hashCode(), 10_000);
        }
    }

    private static final class InventedCatalogue implements Catalogue {

        private static final int PAGES = 12;
        private static final int ITEMS = 10;

        @Override
        public Page page(String cursor) {
            int page = cursor.isEmpty() ? 0 : Integer.parseInt(cursor.substring(1));
            long[] items = LongStream.range(0, ITEMS).map(i -> page * 1000L + i).toArray();
            return new Page(items, page + 1 == PAGES ? null : "p" + (page + 1));
        }

        @Override
        public double weight(long item) {
            return item % 17 / 4.0;
        }
    }

    private static final class InventedOrders implements Orders {

        private static final int OF_A_DAY = 80;

        @Override
        public long[] ofDay(int day) {
            return LongStream.range(0, OF_A_DAY).map(i -> day * 1000L + i).toArray();
        }

        @Override
        public Order order(long number) {
            return new Order(number, (int) (number % 23), number % 50 * 1.5);
        }
    }

    private static final class InventedAccounts implements Accounts {

        @Override
        public Account account(long user) {
            return new Account("user " + user, "en", "Karlsruhe", "CHF");
        }

        @Override
        public String plan(long user) {
            return "plan " + user % 3;
        }

        @Override
        public int friends(long user) {
            return (int) (user % 50);
        }
    }

    private static final class InventedBilling implements Billing {

        @Override
        public double balance(long user) {
            return user * 1.5;
        }

        @Override
        public double rate(String currency) {
            return currency.length() * 0.25;
        }
    }

    private static final class InventedMessages implements Messages {

        @Override
        public int unread(long user) {
            return (int) (user % 5);
        }

        @Override
        public String newest(long user) {
            return "see you at " + user % 24;
        }
    }

    private static final class InventedPress implements Press {

        @Override
        public String headline(String language) {
            return "nothing new (" + language + ")";
        }

        @Override
        public String weather(String city) {
            return "fair, " + city.length() + " degrees";
        }

        @Override
        public int visitors() {
            return 512;
        }
    }

    private static final class InventedStaff implements Staff {

        private static final int OF_A_TEAM = 10;

        @Override
        public List<Integer> members(String team) {
            int first = team.hashCode() % 100 * OF_A_TEAM;
            List<Integer> members = new ArrayList<>();
            for (int i = 0; i < OF_A_TEAM; i++) {
                members.add(first + i);
            }
            return members;
        }

        @Override
        public Member member(int number) {
            return new Member("member " + number, region(number), 20 + number % 40 / 2.0);
        }
    }

    private static final class InventedSource implements Source {

        private static final int ROWS = 60;

        @Override
        public int count() {
            return ROWS;
        }

        @Override
        public String row(int number) {
            return "name " + number + ";city " + number % 13 + ";" + (number % 9 == 4 ? -1 : number * 2.5 + 1);
        }
    }

    /** The warehouse of all clients, which write one after the other. */
    private static final class MemoryWarehouse implements Warehouse {

        private final List<String> lines = new ArrayList<>(); // guarded by this

        @Override
        public synchronized void clear() {
            lines.clear();
        }

        @Override
        public synchronized void write(String line) {
            lines.add(line);
        }

        @Override
        public synchronized long digest() {
            return Arrays.hashCode(lines.toArray());
        }
    }
}
