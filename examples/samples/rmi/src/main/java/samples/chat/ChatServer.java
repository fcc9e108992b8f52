package samples.chat;

import java.rmi.Naming;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class ChatServer extends UnicastRemoteObject implements Chat {

    private static final long serialVersionUID = 1;

    private final Map<String, Listener> members = new LinkedHashMap<>();
    private final List<String> said = new ArrayList<>();

    public ChatServer() throws RemoteException {}

    @Override
    public synchronized void join(String name, Listener listener) {
        members.put(name, listener);
    }

    @Override
    public int say(String name, String text) {
        Map<String, Listener> now;
        synchronized (this) {
            now = new LinkedHashMap<>(members);
            said.add(text);
            notifyAll();
        }
        int heard = 0;
        for (Map.Entry<String, Listener> member : now.entrySet()) {
            if (member.getKey().equals(name)) {
                continue;
            }
            try {
                member.getValue().heard(name, text);
                heard++;
            } catch (RemoteException e) { // it is gone
                synchronized (this) {
                    members.remove(member.getKey());
                }
            }
        }
        return heard;
    }

    @Override
    public synchronized boolean leave(Listener listener) {
        return members.values().remove(listener);
    }

    @Override
    public synchronized int members() {
        return members.size();
    }

    @Override
    public synchronized String await(String beginning) throws InterruptedException {
        while (true) {
            for (String each : said) {
                if (each.startsWith(beginning)) {
                    return each;
                }
            }
            wait();
        }
    }

    public static void main(String[] args) throws Exception {
        Naming.rebind("rmi://localhost:" + args[0] + "/chat", new ChatServer());
        System.out.println("chat: open");
    }
}
