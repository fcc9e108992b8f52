package dev.cleave.agent.conformance;

import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.call.Stub;
import java.util.List;

/** The twins of a stub that send behind other calls; its results may be passed on. */
abstract class ScriptedChains extends Stub {

    final ScriptedService service;
    private final boolean returnsOnlyJdkCollections;

    ScriptedChains(ScriptedService service, boolean returnsOnlyJdkCollections) {
        this.service = service;
        this.returnsOnlyJdkCollections = returnsOnlyJdkCollections;
    }

    @Override
    public final boolean throwsOnlyPlainExceptions() {
        return returnsOnlyJdkCollections;
    }

    @Override
    public final boolean returnsNoSubclassOf(String name) {
        return returnsOnlyJdkCollections;
    }

    @Override
    public final boolean returnsOnlyJdkCollections() {
        return returnsOnlyJdkCollections;
    }

    private static int[] copy(int[] values) {
        return values == null ? null : values.clone();
    }

    static int total(Svc.Box box) {
        int total = 0;
        for (Svc.Box at = box; at != null; at = at.next) {
            total += at.value;
        }
        return total;
    }

    /** As {@link Svc#boxed}. */
    public Integer boxed(Integer x) {
        service.begin("boxed");
        try {
            service.user = ProbeUser.USER.get();
            return (Integer) ScriptedHandle.orThrow(service.execute("boxed", x));
        } finally {
            service.end("boxed");
        }
    }

    public Handle boxed$send(Integer x) {
        return service.handle("boxed", x);
    }

    private Handle chain(Chain chain, String method, Object... arguments) {
        return service.chain(chain).add(this, method, arguments);
    }

    public Handle linkPut$chain(Chain chain, int x) {
        return chain(chain, "linkPut", x);
    }

    public Handle linkNum$chain(Chain chain, int x) {
        return chain(chain, "linkNum", x);
    }

    public Handle linkText$chain(Chain chain, String text) {
        return chain(chain, "linkText", text);
    }

    public Handle linkSum$chain(Chain chain, int[] values) {
        return chain(chain, "linkSum", (Object) copy(values));
    }

    public Handle linkChecked$chain(Chain chain, int x) {
        return chain(chain, "linkChecked", x);
    }

    public Handle linkBox$chain(Chain chain, int x) {
        return chain(chain, "linkBox", x);
    }

    public Handle linkBoxed$chain(Chain chain, Integer x) {
        return chain(chain, "linkBoxed", x);
    }

    public Handle linkObject$chain(Chain chain, int x) {
        return chain(chain, "linkObject", x);
    }

    public Handle f$chain(Chain chain, int x) {
        return chain(chain, "f", x);
    }

    public Handle g$chain(Chain chain, int x) {
        return chain(chain, "g", x);
    }

    public Handle w$chain(Chain chain, int x) {
        return chain(chain, "w", x);
    }

    public Handle lf$chain(Chain chain, long x) {
        return chain(chain, "lf", x);
    }

    public Handle ff$chain(Chain chain, float x) {
        return chain(chain, "ff", x);
    }

    public Handle df$chain(Chain chain, double x) {
        return chain(chain, "df", x);
    }

    public Handle ok$chain(Chain chain, int x) {
        return chain(chain, "ok", x);
    }

    public Handle s$chain(Chain chain, String text) {
        return chain(chain, "s", text);
    }

    public Handle row$chain(Chain chain, int x) {
        return chain(chain, "row", x);
    }

    public Handle get$chain(Chain chain, int x) {
        return chain(chain, "get", x);
    }

    public Handle sumOf$chain(Chain chain, int[] values) {
        return chain(chain, "sumOf", (Object) copy(values));
    }

    public Handle weigh$chain(Chain chain, Svc.Box box) {
        return chain(chain, "weigh", total(box));
    }

    public Handle both$chain(Chain chain, int x, String text, long y, double z) {
        return chain(chain, "both", x, text, y, z);
    }

    public Handle put$chain(Chain chain, int x) {
        return chain(chain, "put", x);
    }

    public Handle checked$chain(Chain chain, int x) {
        return chain(chain, "checked", x);
    }

    public Handle read$chain(Chain chain, int x) {
        return chain(chain, "read", x);
    }

    public Handle pure$chain(Chain chain, int x) {
        return chain(chain, "pure", x);
    }

    public Handle quote$chain(Chain chain, String id) {
        return chain(chain, "quote", id);
    }

    public Handle pureSum$chain(Chain chain, int[] values) {
        return chain(chain, "pureSum", (Object) copy(values));
    }

    public Handle pureWeight$chain(Chain chain, Svc.Box box) {
        return chain(chain, "pureWeight", total(box));
    }

    public Handle pureDouble$chain(Chain chain, double x) {
        return chain(chain, "pureDouble", x);
    }

    public Handle syncPure$chain(Chain chain, int x) {
        return chain(chain, "syncPure", x);
    }

    public Handle load$chain(Chain chain, int key) {
        return chain(chain, "load", key);
    }

    public Handle peek$chain(Chain chain, int key) {
        return chain(chain, "peek", key);
    }

    public Handle parcel$chain(Chain chain, int x) {
        return chain(chain, "parcel", x);
    }

    public Handle bean$chain(Chain chain, int x) {
        return chain(chain, "bean", x);
    }

    public Handle filled$chain(Chain chain, int x) {
        return chain(chain, "filled", x);
    }

    public Handle oddBean$chain(Chain chain, int x) {
        return chain(chain, "oddBean", x);
    }

    public Handle wrapped$chain(Chain chain, int x) {
        return chain(chain, "wrapped", x);
    }

    public Handle parcels$chain(Chain chain, int x) {
        return chain(chain, "parcels", x);
    }

    public Handle names$chain(Chain chain, int x) {
        return chain(chain, "names", x);
    }

    public Handle more$chain(Chain chain, List<String> names) {
        return chain(chain, "more", names);
    }

    public Handle count$chain(Chain chain, List<String> names) {
        return chain(chain, "count", names);
    }

    public Handle maybe$chain(Chain chain, int x) {
        return chain(chain, "maybe", x);
    }

    public Handle boxed$chain(Chain chain, Integer x) {
        return chain(chain, "boxed", x);
    }

    public Handle tryInt$chain(Chain chain, int x) {
        return chain(chain, "tryInt", x);
    }

    public Handle tryFlag$chain(Chain chain, int x) {
        return chain(chain, "tryFlag", x);
    }
}
