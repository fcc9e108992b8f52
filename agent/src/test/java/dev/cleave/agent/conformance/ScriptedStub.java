package dev.cleave.agent.conformance;

import dev.cleave.call.Encoded;
import dev.cleave.call.Handle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A stub as the generator would make it, in front of a {@link ScriptedService}. */
public final class ScriptedStub extends ScriptedChains implements Svc {

    ScriptedStub(ScriptedService service) {
        super(service, true);
    }

    private ScriptedStub(ScriptedService service, boolean returnsOnlyJdkCollections) {
        super(service, returnsOnlyJdkCollections);
    }

    /** Makes a stub through which collections of classes of the program may travel. */
    static ScriptedStub ofOpenTypes(ScriptedService service) {
        return new ScriptedStub(service, false);
    }

    @Override
    public String service() {
        return "scripted";
    }

    private Object call(String method, Object... arguments) {
        service.sent(method, arguments);
        service.begin(method);
        try {
            service.user = ProbeUser.USER.get();
            return ScriptedHandle.orThrow(service.execute(method, arguments));
        } finally {
            service.end(method);
        }
    }

    /** Sends a call for a thread that had this in {@link ProbeUser#USER} when the arguments were written. */
    Handle sendFor(String user, String method, Object... arguments) {
        String here = ProbeUser.USER.get();
        ProbeUser.USER.set(user);
        try {
            return send(method, arguments);
        } finally {
            ProbeUser.USER.set(here);
        }
    }

    Handle send(String method, Object... arguments) {
        return service.handle(method, arguments);
    }

    @Override
    public int f(int x) {
        return (int) call("f", x);
    }

    public Handle f$send(int x) {
        return send("f", x);
    }

    @Override
    public int g(int x) {
        return (int) call("g", x);
    }

    public Handle g$send(int x) {
        return send("g", x);
    }

    @Override
    public int w(int x) {
        return (int) call("w", x);
    }

    public Handle w$send(int x) {
        return send("w", x);
    }

    @Override
    public long lf(long x) {
        return (long) call("lf", x);
    }

    public Handle lf$send(long x) {
        return send("lf", x);
    }

    @Override
    public float ff(float x) {
        return (float) call("ff", x);
    }

    public Handle ff$send(float x) {
        return send("ff", x);
    }

    @Override
    public double df(double x) {
        return (double) call("df", x);
    }

    public Handle df$send(double x) {
        return send("df", x);
    }

    @Override
    public boolean ok(int x) {
        return (boolean) call("ok", x);
    }

    public Handle ok$send(int x) {
        return send("ok", x);
    }

    @Override
    public String s(String text) {
        return (String) call("s", text);
    }

    public Handle s$send(String text) {
        return send("s", text);
    }

    @Override
    public int[] row(int x) {
        return (int[]) call("row", x);
    }

    public Handle row$send(int x) {
        return send("row", x);
    }

    @Override
    public Object get(int x) {
        return call("get", x);
    }

    public Handle get$send(int x) {
        return send("get", x);
    }

    @Override
    public int sumOf(int[] values) {
        return (int) call("sumOf", (Object) values.clone());
    }

    public Handle sumOf$send(int[] values) {
        return send("sumOf", (Object) values.clone());
    }

    @Override
    public int weigh(Box box) {
        return (int) call("weigh", total(box));
    }

    public Handle weigh$send(Box box) {
        return send("weigh", total(box));
    }

    @Override
    public int both(int x, String text, long y, double z) {
        return (int) call("both", x, text, y, z);
    }

    public Handle both$send(int x, String text, long y, double z) {
        return send("both", x, text, y, z);
    }

    @Override
    public void put(int x) {
        call("put", x);
    }

    public Handle put$send(int x) {
        return send("put", x);
    }

    @Override
    public void checked(int x) throws Failure {
        call("checked", x);
    }

    public Handle checked$send(int x) {
        return send("checked", x);
    }

    @Override
    public int read(int x) {
        return (int) call("read", x);
    }

    public Handle read$send(int x) {
        return send("read", x);
    }

    public Encoded read$encode(int x) {
        return new ScriptedEncoding(this, "read", x);
    }

    @Override
    public int pure(int x) {
        return (int) call("pure", x);
    }

    public Handle pure$send(int x) {
        return send("pure", x);
    }

    public Encoded pure$encode(int x) {
        return new ScriptedEncoding(this, "pure", x);
    }

    @Override
    public String quote(String id) {
        return (String) call("quote", id);
    }

    public Handle quote$send(String id) {
        return send("quote", id);
    }

    public Encoded quote$encode(String id) {
        return new ScriptedEncoding(this, "quote", id);
    }

    @Override
    public int pureSum(int[] values) {
        return (int) call("pureSum", (Object) values.clone());
    }

    public Handle pureSum$send(int[] values) {
        return send("pureSum", (Object) values.clone());
    }

    public Encoded pureSum$encode(int[] values) {
        return new ScriptedEncoding(this, "pureSum", (Object) values.clone());
    }

    @Override
    public int pureWeight(Box box) {
        return (int) call("pureWeight", total(box));
    }

    public Handle pureWeight$send(Box box) {
        return send("pureWeight", total(box));
    }

    public Encoded pureWeight$encode(Box box) {
        return new ScriptedEncoding(this, "pureWeight", total(box));
    }

    @Override
    public int pureDouble(double x) {
        return (int) call("pureDouble", x);
    }

    public Handle pureDouble$send(double x) {
        return send("pureDouble", x);
    }

    public Encoded pureDouble$encode(double x) {
        return new ScriptedEncoding(this, "pureDouble", x);
    }

    @Override
    public int syncPure(int x) {
        return (int) call("syncPure", x);
    }

    public Handle syncPure$send(int x) {
        return send("syncPure", x);
    }

    public Encoded syncPure$encode(int x) {
        return new ScriptedEncoding(this, "syncPure", x);
    }

    @Override
    public int load(int key) {
        return (int) call("load", key);
    }

    public Handle load$send(int key) {
        return send("load", key);
    }

    public Encoded load$encode(int key) {
        return new ScriptedEncoding(this, "load", key);
    }

    @Override
    public int peek(int key) {
        return (int) call("peek", key);
    }

    public Handle peek$send(int key) {
        return send("peek", key);
    }

    public Encoded peek$encode(int key) {
        return new ScriptedEncoding(this, "peek", key);
    }

    @Override
    public int store(int key, int value) {
        return (int) call("store", key, value);
    }

    /** Makes a call that changes an argument, the last one. */
    private Object callRestoring(String method, Object... arguments) {
        Object[] sent = copies(arguments);
        Object result = call(method, sent);
        restore(sent, arguments);
        return result;
    }

    /** Sends a call that changes an argument, the last one: its await restores it. */
    private Handle sendRestoring(String method, Object... arguments) {
        Object[] sent = copies(arguments);
        int last = sent.length - 1;
        return new RestoringHandle(send(method, sent), array -> Restoring.restore(sent[last], array), arguments[last]);
    }

    private static Object[] copies(Object[] arguments) {
        return Arrays.stream(arguments).map(Restoring::copy).toArray();
    }

    private static void restore(Object[] sent, Object[] arguments) {
        Restoring.restore(sent[sent.length - 1], arguments[sent.length - 1]);
    }

    @Override
    public int fill(int seed, int[] values) {
        return (int) callRestoring("fill", seed, values);
    }

    public Handle fill$send(int seed, int[] values) {
        return sendRestoring("fill", seed, values);
    }

    @Override
    public int turn(int[] values) {
        return (int) callRestoring("turn", (Object) values);
    }

    public Handle turn$send(int[] values) {
        return sendRestoring("turn", (Object) values);
    }

    @Override
    public void blend(int[] from, int[] into) {
        callRestoring("blend", from, into);
    }

    public Handle blend$send(int[] from, int[] into) {
        return sendRestoring("blend", from, into);
    }

    @Override
    public int grid(int seed, int[][] rows) {
        return (int) callRestoring("grid", seed, rows);
    }

    public Handle grid$send(int seed, int[][] rows) {
        return sendRestoring("grid", seed, rows);
    }

    @Override
    public int snap(int key, int[] values) {
        return (int) callRestoring("snap", key, values);
    }

    public Handle snap$send(int key, int[] values) {
        return sendRestoring("snap", key, values);
    }

    @Override
    public int tell(Hearer hearer, int x) {
        hearer.hear(x + 1);
        return (int) call("tell", x);
    }

    public Handle tell$send(Hearer hearer, int x) {
        hearer.hear(x + 1);
        return send("tell", x);
    }

    @Override
    public int tellAll(List<Hearer> hearers, int x) {
        hearers.forEach(h -> h.hear(x + 1));
        return (int) call("tell", x);
    }

    public Handle tellAll$send(List<Hearer> hearers, int x) {
        hearers.forEach(h -> h.hear(x + 1));
        return send("tell", x);
    }

    @Override
    public int tellIn(Letter letter) {
        return tell(letter.hearer(), letter.x());
    }

    public Handle tellIn$send(Letter letter) {
        return tell$send(letter.hearer(), letter.x());
    }

    @Override
    public int look(dev.cleave.Ref<Box> box) {
        return (int) call("tell", box.get().value());
    }

    public Handle look$send(dev.cleave.Ref<Box> box) {
        return send("tell", box.get().value());
    }

    @Override
    public int sync(int x) {
        return (int) call("sync", x);
    }

    @Override
    public int plain(int x) {
        return (int) call("plain", x);
    }

    @Override
    public Parcel parcel(int x) {
        return (Parcel) call("parcel", x);
    }

    public Handle parcel$send(int x) {
        return send("parcel", x);
    }

    @Override
    public Bean bean(int x) {
        return (Bean) call("bean", x);
    }

    public Handle bean$send(int x) {
        return send("bean", x);
    }

    @Override
    public Filled filled(int x) {
        return (Filled) call("filled", x);
    }

    public Handle filled$send(int x) {
        return send("filled", x);
    }

    @Override
    public Bean oddBean(int x) {
        return (Bean) call("oddBean", x);
    }

    public Handle oddBean$send(int x) {
        return send("oddBean", x);
    }

    @Override
    public Wrapped wrapped(int x) {
        return (Wrapped) call("wrapped", x);
    }

    public Handle wrapped$send(int x) {
        return send("wrapped", x);
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<Parcel> parcels(int x) {
        return (List<Parcel>) call("parcels", x);
    }

    public Handle parcels$send(int x) {
        return send("parcels", x);
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<String> names(int x) {
        return (List<String>) call("names", x);
    }

    public Handle names$send(int x) {
        return send("names", x);
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<String> more(List<String> names) {
        return (List<String>) call("more", new ArrayList<>(names));
    }

    public Handle more$send(List<String> names) {
        return send("more", new ArrayList<>(names));
    }

    @Override
    public int count(List<String> names) {
        return (int) call("count", new ArrayList<>(names));
    }

    public Handle count$send(List<String> names) {
        return send("count", new ArrayList<>(names));
    }

    @Override
    public Integer maybe(int x) {
        return (Integer) call("maybe", x);
    }

    public Handle maybe$send(int x) {
        return send("maybe", x);
    }

    @Override
    public void linkPut(int x) {
        call("linkPut", x);
    }

    @Override
    public int linkNum(int x) {
        return (int) call("linkNum", x);
    }

    @Override
    public String linkText(String text) {
        return (String) call("linkText", text);
    }

    @Override
    public int linkSum(int[] values) {
        return (int) call("linkSum", (Object) values.clone());
    }

    @Override
    public void linkChecked(int x) throws Failure {
        call("linkChecked", x);
    }

    @Override
    public Object linkObject(int x) {
        return call("linkObject", x);
    }

    @Override
    public Integer linkBox(int x) {
        return (Integer) call("linkBox", x);
    }

    @Override
    public Integer linkBoxed(Integer x) {
        return (Integer) call("linkBoxed", x);
    }

    @Override
    public void shout(int x) {
        call("shout", x);
    }

    @Override
    public int tryInt(int x) {
        return (int) call("tryInt", x);
    }

    public Handle tryInt$send(int x) {
        return send("tryInt", x);
    }

    @Override
    public boolean tryFlag(int x) {
        return (boolean) call("tryFlag", x);
    }

    public Handle tryFlag$send(int x) {
        return send("tryFlag", x);
    }

    @Override
    public int kept(int x) {
        return (int) call("kept", x);
    }

    public Handle kept$send(int x) {
        return send("kept", x);
    }

    @Override
    public int keptRead(int x) {
        return (int) call("keptRead", x);
    }

    public Handle keptRead$send(int x) {
        return send("keptRead", x);
    }

    @Override
    public int set(int key, int value) {
        return (int) call("set", key, value);
    }

    public Handle set$send(int key, int value) {
        return send("set", key, value);
    }

    @Override
    public int putDesk(int key, int value) {
        return (int) call("putDesk", key, value);
    }

    public Handle putDesk$send(int key, int value) {
        return send("putDesk", key, value);
    }

    @Override
    public int desk(int key) {
        return (int) call("desk", key);
    }

    public Handle desk$send(int key) {
        return send("desk", key);
    }

    public Encoded desk$encode(int key) {
        return new ScriptedEncoding(this, "desk", key);
    }

    @Override
    public int shelf(int key) {
        return (int) call("shelf", key);
    }

    public Handle shelf$send(int key) {
        return send("shelf", key);
    }

    public Encoded shelf$encode(int key) {
        return new ScriptedEncoding(this, "shelf", key);
    }
}
