package dev.cleave.cluster.zookeeper;

import dev.cleave.broker.store.ClusterStore;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import dev.cleave.concurrent.SafeLog;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;

/**
 * Tells a listener of all changes below a path, by one recursive watch. Events of ZooKeeper have no values: each changed
 * node is read after its event, so a listener is told of the last of several quick changes. All of this runs on a thread
 * of its own.
 */
final class NodeWatch implements AutoCloseable {

    private static final System.Logger LOG = SafeLog.of(NodeWatch.class);
    private static final long AGAIN_MILLIS = 500;

    private final CuratorFramework client;
    private final String root;
    private final Key prefix;
    private final ClusterStore.Listener listener;
    private final Function<Key, List<Entry>> reader;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "cleave-broker-watch");
        made.setDaemon(true);
        return made;
    });
    private final Watcher watcher = this::onEvent;
    private final AtomicBoolean reading = new AtomicBoolean(); // all entries are about to be read
    private final Set<String> dirty = new LinkedHashSet<>(); // guarded by itself

    NodeWatch(
            CuratorFramework client,
            String root,
            Key prefix,
            ClusterStore.Listener listener,
            Function<Key, List<Entry>> reader) {
        this.client = client;
        this.root = root;
        this.prefix = prefix;
        this.listener = listener;
        this.reader = reader;
    }

    /** Watches, and tells all entries, because the session has begun or has been resumed. */
    void begin() {
        if (reading.compareAndSet(false, true)) {
            run(this::readAll);
        }
    }

    /** Tells the listener something after all that it was told before. */
    void tell(Consumer<ClusterStore.Listener> news) {
        run(() -> news.accept(listener));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void readAll() {
        reading.set(false);
        try {
            client.watchers()
                    .add()
                    .withMode(AddWatchMode.PERSISTENT_RECURSIVE)
                    .usingWatcher(watcher)
                    .forPath(Paths.of(root, prefix));
            synchronized (dirty) {
                dirty.clear();
            }
            List<Entry> all = reader.apply(prefix);
            listener.onSync(all);
        } catch (Exception e) {
            LOG.log(System.Logger.Level.DEBUG, "all entries are read again soon: {0}", e.getMessage());
            try {
                var unused = thread.schedule(this::begin, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                return;
            }
        }
    }

    /** On the event thread of the session. */
    private void onEvent(WatchedEvent event) {
        String path = event.getPath();
        if (path == null || event.getType() == Watcher.Event.EventType.None) {
            return;
        }
        boolean isFirst;
        synchronized (dirty) {
            isFirst = dirty.isEmpty();
            dirty.add(path);
        }
        if (isFirst) {
            run(this::readDirty);
        }
    }

    private void readDirty() {
        while (true) {
            String path;
            synchronized (dirty) {
                if (dirty.isEmpty()) {
                    return;
                }
                path = dirty.iterator().next();
                dirty.remove(path);
            }
            try {
                readOne(path);
            } catch (StoreException | KeeperException e) {
                LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", path, e.getMessage());
                begin(); // an event was lost: only all entries make up for it
                return;
            } catch (Exception e) {
                LOG.log(System.Logger.Level.WARNING, path, e);
                begin();
                return;
            }
        }
    }

    private void readOne(String path) throws Exception {
        Key key = Paths.key(root, path);
        if (key == null) {
            return;
        }
        Stat stat = new Stat();
        try {
            byte[] value = client.getData().storingStatIn(stat).forPath(path);
            if (value == null || value.length == 0) {
                listener.onRemoved(key, stat.getMzxid());
            } else {
                listener.onPut(new Entry(key, value, stat.getMzxid(), stat.getVersion()));
            }
        } catch (KeeperException.NoNodeException e) {
            listener.onRemoved(key, Long.MAX_VALUE);
        }
    }

    private void run(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "after the end of the watch", e);
        }
    }
}
