"""The browser that WebKitWebDriver starts for the tests: WebKitGTK with its data in the folder that is its
argument; without one, each tab is a private window. (MiniBrowser's automation mode is always private.)
With a URL after the folder, it opens that page by itself, and no driver is needed."""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

DataManager = WebKit2.WebsiteDataManager
if len(sys.argv) > 1:
    folder = sys.argv[1]
    data = DataManager(base_data_directory=folder, base_cache_directory=folder)
else:
    data = DataManager.new_ephemeral()
context = WebKit2.WebContext(website_data_manager=data)


def open_tab(session=None):
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=session is not None)
    window = Gtk.Window(default_width=1200, default_height=800)
    window.add(view)
    view.connect("close", lambda _view: window.destroy())
    window.show_all()
    return view


def start_session(_context, session):
    info = WebKit2.ApplicationInfo.new()
    info.set_name("WebKitGTK")
    info.set_version(
        WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version()
    )
    session.set_application_info(info)
    session.connect("create-web-view", open_tab)


if len(sys.argv) > 2:
    open_tab().load_uri(sys.argv[2])
else:
    context.connect("automation-started", start_session)
    context.set_automation_allowed(True)
Gtk.main()
