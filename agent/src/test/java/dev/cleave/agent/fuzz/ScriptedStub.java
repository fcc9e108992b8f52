package dev.cleave.agent.fuzz;

import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;

/** The stub of {@link FuzzService}, as the stub factory would make it, calling a {@link ScriptedServer}. */
public final class ScriptedStub extends ScriptedChains implements FuzzService {

    ScriptedStub(String name, ScriptedServer server) {
        super(name, server);
    }

    @Override
    public String service() {
        return name;
    }

    @Override
    public int get(int key) {
        return call("get", key);
    }

    public Handle get$send(int key) {
        return server.send("get", name, key);
    }

    @Override
    public long num(long key) {
        return call("num", key);
    }

    public Handle num$send(long key) {
        return server.send("num", name, key);
    }

    @Override
    public String name(int key) {
        return "n" + call("name", key);
    }

    public Handle name$send(int key) {
        return server.send("name", name, key);
    }

    public Encoded name$encode(int key) {
        return server.encode("name", name, key);
    }

    @Override
    public void put(int key, int value) {
        call("put", key, value);
    }

    public Handle put$send(int key, int value) {
        return server.send("put", name, key, value);
    }

    @Override
    public int checked(int key) throws FuzzFailure {
        return call("checked", key);
    }

    public Handle checked$send(int key) {
        return server.send("checked", name, key);
    }

    @Override
    public int sum(int[] values) {
        return call("sum", (Object) values);
    }

    public Handle sum$send(int[] values) {
        return server.send("sum", name, values);
    }

    @Override
    public int[] row(int key) {
        int value = call("row", key);
        return new int[] {value, value + 1, value + 2};
    }

    public Handle row$send(int key) {
        return server.send("row", name, key);
    }

    @Override
    public Crate crate(int key) {
        return Crate.of(call("crate", key));
    }

    public Handle crate$send(int key) {
        return server.send("crate", name, key);
    }

    @Override
    public boolean flag(int key) {
        return (call("flag", key) & 1) != 0;
    }

    public Handle flag$send(int key) {
        return server.send("flag", name, key);
    }

    @Override
    public int calc(int key) {
        return call("calc", key);
    }

    public Handle calc$send(int key) {
        return server.send("calc", name, key);
    }

    public Encoded calc$encode(int key) {
        return server.encode("calc", name, key);
    }

    @Override
    public int calcSum(int[] values) {
        return call("calcSum", (Object) values);
    }

    public Handle calcSum$send(int[] values) {
        return server.send("calcSum", name, values);
    }

    public Encoded calcSum$encode(int[] values) {
        return server.encode("calcSum", name, values);
    }

    @Override
    public int look(int key) {
        return call("look", key);
    }

    public Handle look$send(int key) {
        return server.send("look", name, key);
    }

    public Encoded look$encode(int key) {
        return server.encode("look", name, key);
    }

    @Override
    public int peek(int key) {
        return call("peek", key);
    }

    public Handle peek$send(int key) {
        return server.send("peek", name, key);
    }

    public Encoded peek$encode(int key) {
        return server.encode("peek", name, key);
    }

    @Override
    public int set(int key, int value) {
        return call("set", key, value);
    }

    public Handle set$send(int key, int value) {
        return server.send("set", name, key, value);
    }

    @Override
    public int store(int key, int value) {
        return call("store", key, value);
    }

    @Override
    public int barrier(int key) {
        return call("barrier", key);
    }

    @Override
    public void push(int key, int value) {
        call("push", key, value);
    }

    @Override
    public int pull(int key) {
        return call("pull", key);
    }

    @Override
    public String label(int key) {
        return "l" + call("label", key);
    }

    private int call(String method, Object... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = name;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try {
            return (Integer) server.callNow(method, all);
        } catch (Exception e) {
            throw ScriptedStub.<RuntimeException>sneaky(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable failure) throws T {
        throw (T) failure;
    }

    @Override
    public int spec(int key) {
        return call("spec", key);
    }

    public Handle spec$send(int key) {
        return server.send("spec", name, key);
    }

    @Override
    public boolean perhaps(int key) {
        return (call("perhaps", key) & 1) != 0;
    }

    public Handle perhaps$send(int key) {
        return server.send("perhaps", name, key);
    }

    @Override
    public void note(int key) {
        call("note", key);
    }

    public Handle note$send(int key) {
        return server.send("note", name, key);
    }

    @Override
    public int tick(int key) {
        return call("tick", key);
    }

    public Handle tick$send(int key) {
        return server.send("tick", name, key);
    }

    @Override
    public int tell(FuzzHearer hearer, int key) {
        return call("tell", hearer, key);
    }

    @Override
    public void tip(int key) {
        call("tip", key);
    }
}
