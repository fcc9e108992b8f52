package dev.cleave.node;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Serves {@link Shop} by another one. */
class ForwardingShop implements Shop {

    private final Shop target;

    ForwardingShop(Shop target) {
        this.target = target;
    }

    @Override
    public void nothing() {
        target.nothing();
    }

    @Override
    public int add(int a, int b) {
        return target.add(a, b);
    }

    @Override
    public long sum(byte[] bytes) {
        return target.sum(bytes);
    }

    @Override
    public boolean not(boolean value) {
        return target.not(value);
    }

    @Override
    public byte increment(byte value) {
        return target.increment(value);
    }

    @Override
    public char upper(char c) {
        return target.upper(c);
    }

    @Override
    public short half(short value) {
        return target.half(value);
    }

    @Override
    public float halfFloat(float value) {
        return target.halfFloat(value);
    }

    @Override
    public double mean(double[] values, double weight, long count) {
        return target.mean(values, weight, count);
    }

    @Override
    public String greet(String name) {
        return target.greet(name);
    }

    @Override
    public int[] sorted(int[] values) {
        return target.sorted(values);
    }

    @Override
    public Item copy(Item item, Map<String, List<Item>> more) {
        return target.copy(item, more);
    }

    @Override
    public Item order(String name) throws SoldOut {
        return target.order(name);
    }

    @Override
    public Object echo(Object any) {
        return target.echo(any);
    }

    @Override
    public int slow(int millis, int result) {
        return target.slow(millis, result);
    }

    @Override
    public int pure(int x) {
        return target.pure(x);
    }

    @Override
    public String replica() {
        return target.replica();
    }

    @Override
    public void fail(String what) throws IOException {
        target.fail(what);
    }

    @Override
    public CompletableFuture<String> later(String name) {
        return target.later(name);
    }

    @Override
    public int pureCount(Item item, Map<String, Integer> more) {
        return target.pureCount(item, more);
    }

    @Override
    public String pureName(Object any) {
        return target.pureName(any);
    }

    @Override
    public int stock(int item) {
        return target.stock(item);
    }

    @Override
    public int restock(int item, int count) {
        return target.restock(item, count);
    }

    @Override
    public int reprice(int item, int price) {
        return target.reprice(item, price);
    }
}
