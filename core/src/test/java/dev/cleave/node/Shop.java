package dev.cleave.node;

import dev.cleave.Async;
import dev.cleave.Idempotent;
import dev.cleave.Pure;
import dev.cleave.ReadOnly;
import dev.cleave.Remote;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A remote interface with a method of each sort. */
@Remote
interface Shop {

    record Item(String name, int count, List<Item> parts) {}

    final class SoldOut extends Exception {
        private static final long serialVersionUID = 1;
        final Item item;

        SoldOut(String message, Item item) {
            super(message);
            this.item = item;
        }
    }

    void nothing();

    int add(int a, int b);

    long sum(byte[] bytes);

    boolean not(boolean value);

    byte increment(byte value);

    char upper(char c);

    short half(short value);

    float halfFloat(float value);

    double mean(double[] values, double weight, long count);

    String greet(String name);

    int[] sorted(int[] values);

    Item copy(Item item, Map<String, List<Item>> more);

    Item order(String name) throws SoldOut;

    Object echo(Object any);

    @Async(window = 16)
    int slow(int millis, int result);

    @Pure
    int pure(int x);

    @Pure
    int pureCount(Item item, Map<String, Integer> more);

    @Pure
    String pureName(Object any);

    @ReadOnly
    @Async(group = "stock")
    int stock(int item);

    @Async(group = "stock")
    int restock(int item, int count);

    @Async(group = "prices")
    int reprice(int item, int price);

    @Idempotent
    String replica();

    void fail(String what) throws IOException;

    CompletableFuture<String> later(String name);

    default int twice(int x) {
        return add(x, x);
    }
}
